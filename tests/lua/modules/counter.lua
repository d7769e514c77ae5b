-- Returns how often it was run.
counted = (counted or 0) + 1
return counted
-- SPDX-License-Identifier: MIT
