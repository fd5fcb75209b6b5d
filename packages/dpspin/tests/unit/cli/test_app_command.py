"""``dpspin app``, before it starts."""

import os


def test_a_folder_that_cannot_be_written_to_is_refused_before_a_page_is_served(tmp_path, dpspin, monkeypatch):
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)  # root may write anywhere
    ran = dpspin("app", tmp_path)
    assert ran.code == 2
    assert "is not writable" in ran.err
