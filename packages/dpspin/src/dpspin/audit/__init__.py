"""An audit that can fail: does a release lose more privacy than it states? Nothing here is a release."""
