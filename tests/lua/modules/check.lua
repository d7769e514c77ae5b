-- What the Lua tests share. A failed check raises, and the runner reports it.
local check = {}

check.nan, check.inf = 0 / 0, 1 / 0

-- "file.lua:12: text" in three parts; the path is left off.
function check.split(message)
  local file, line, text = tostring(message):match "^.-([%w_]+%.lua):(%d+): (.*)$"
  return file, tonumber(line), text
end

-- Where the caller of the function that calls this stands.
local function caller()
  local _, message = pcall(error, "x", 4)
  return check.split(message)
end

local function complain(text, ...)
  error(text:format(...), 3)
end

local function show(value)
  return type(value) == "string" and ("%q"):format(value) or tostring(value)
end

function check.equal(got, wanted, what)
  if got ~= wanted and not (got ~= got and wanted ~= wanted) then
    complain("%s: got %s, wanted %s", what or "value", show(got), show(wanted))
  end
end

function check.near(got, wanted, tolerance, what)
  if type(got) ~= "number" or not (math.abs(got - wanted) <= tolerance) then
    complain("%s: got %s, wanted %s within %s", what or "value", show(got), show(wanted), tolerance)
  end
end

-- f must raise exactly `wanted`, at the line of the test (f is written there).
function check.raises(wanted, f)
  local file, line = caller()
  local is_well, message = pcall(f)
  if is_well then complain("nothing was raised; wanted %q", wanted) end
  local at_file, at_line, text = check.split(message)
  if text ~= wanted then complain("raised\n  %s\nand not\n  %s", message, wanted) end
  if at_file ~= file or at_line < line or at_line > line + 6 then
    complain("%q is said to be at %s:%s, but the test is at %s:%s", wanted, at_file, at_line, file, line)
  end
end

-- f must raise something that has `part` in it.
function check.mentions(part, f)
  local is_well, message = pcall(f)
  if is_well then complain("nothing was raised; wanted ...%s...", part) end
  if not tostring(message):find(part, 1, true) then
    complain("raised\n  %s\nwhich does not mention\n  %s", tostring(message), part)
  end
end

return check
-- SPDX-License-Identifier: MIT
