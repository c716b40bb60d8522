//! Only the test is of interest.
