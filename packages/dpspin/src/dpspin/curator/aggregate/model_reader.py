"""A language model inside the curator reads what nobody has read yet of a sample, one record per question."""

from collections.abc import Callable
from typing import Final

from dpspin.curator.aggregate.reading_folder import ReadingFolder
from dpspin.curator.assign.llm.kept_answers import AnswersOfThisRun
from dpspin.curator.assign.llm.labeller import Labeller
from dpspin.curator.assign.llm.llm_map import Teacher
from dpspin.curator.assign.llm.trusted_endpoint import Endpoint

MOST_THEMES: Final = 5  # in one record


def read_by_model(
    folder: ReadingFolder, endpoint: Endpoint, tell: Callable[[int], None] = lambda _records: None
) -> int:
    """Read the rest of a sample; each answer is kept at once. Return how many the model gave no clear answer to.

    Those stay unread, for a person: to count them as none of these would be a bias. The model is shown all themes, not
    a shortlist: that would be what a map thinks of the record.
    """
    atoms, unclear = folder.atoms, 0
    labeller = Labeller(atoms, endpoint, AnswersOfThisRun(), most=min(MOST_THEMES, atoms.size), size=atoms.size)
    places = {atom: place for place, atom in enumerate(atoms.ids)}
    for record in folder.records():
        if not record.themes:
            answer = labeller(record.text)
            unclear += not answer.readable
            if answer.readable:
                themes = folder.cell_of(places[atom] for atom in answer.atoms)
                folder.read_by_model(Teacher(labeller).name, record.id, themes)
            tell(1)
    return unclear
