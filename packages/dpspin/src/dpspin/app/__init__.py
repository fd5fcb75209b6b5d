"""The curator's app: what the commands do, as pages for one browser on this machine."""
