"""Stage 0: public dictionaries of atoms, from files and ready packs, and what a careful eye would say about them."""
