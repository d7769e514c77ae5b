-- Fails when it is run, at line 2.
error "on purpose"
-- SPDX-License-Identifier: MIT
