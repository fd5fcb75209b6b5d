import numpy as np

from dpspin.curator.assign.deal_out_mass import Calibration


def test_odds_of_a_record_are_the_same_to_the_last_bit_in_any_batch():
    waves = np.sin(np.arange(3 * 300 * 59) * 1.7).reshape(3, 300, 59)
    calibration = Calibration(np.array([0.3, 1.7, 2.9]), np.full(59, 0.1))
    together = calibration(waves)
    for size in (1, 2, 7):
        for start in range(0, 300 - size, 11):
            assert np.array_equal(calibration(waves[:, start : start + size]), together[start : start + size])
