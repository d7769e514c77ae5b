-- Does not compile, at line 2.
local = 3
-- SPDX-License-Identifier: MIT
