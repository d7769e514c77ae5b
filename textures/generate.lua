-- Writes the marimba strips of this folder, the same to the byte every time.
--
--   sandbell check --trust textures/generate.lua
--   lua5.4 textures/generate.lua [directory]
--
-- A strip is 64 x 1 pixels of 8-bit grey: |phi| of a free bar's mode from end to
-- end, white where it moves most. CREDITS.md says what else is here.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."
local directory = arg and arg[1] or here

local function crc32(bytes)
  local crc = 0xffffffff
  for i = 1, #bytes do
    crc = crc ~ bytes:byte(i)
    for _ = 1, 8 do crc = crc >> 1 ~ (crc & 1) * 0xedb88320 end
  end
  return crc ~ 0xffffffff
end

local function adler32(bytes)
  local a, b = 1, 0
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

local function chunk(kind, data)
  return string.pack(">I4", #data) .. kind .. data .. string.pack(">I4", crc32(kind .. data))
end

-- One row of grey as a PNG. So few bytes need no compression: one stored block.
local function png(row)
  local raw = "\0" .. string.char(table.unpack(row))
  local stored = "\x78\x01\x01" .. string.pack("<I2I2", #raw, ~#raw & 0xffff) .. raw .. string.pack(">I4", adler32(raw))
  return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", string.pack(">I4I4BBBBB", #row, 1, 8, 0, 0, 0, 0))
    .. chunk("IDAT", stored) .. chunk("IEND", "")
end

-- The shape of a thin free bar's mode, 1 at its ends; cos b cosh b = 1.
local function shape(b, u)
  local x = b * u
  local s = (math.cos(b) - (math.exp(b) + math.exp(-b)) / 2) / (math.sin(b) - (math.exp(b) - math.exp(-b)) / 2)
  local cosh, sinh = (math.exp(x) + math.exp(-x)) / 2, (math.exp(x) - math.exp(-x)) / 2
  return (cosh + math.cos(x) - s * (sinh + math.sin(x))) / 2
end

for k, b in ipairs { 4.730040744862704, 7.853204624095838, 10.995607838001671, 14.137165491257464 } do
  local row = {}
  for i = 1, 64 do row[i] = math.floor(255 * math.abs(shape(b, (i - 0.5) / 64)) + 0.5) end
  local file = assert(io.open(("%s/marimba_%d.png"):format(directory, k), "wb"))
  assert(file:write(png(row)))
  assert(file:close())
end
-- SPDX-License-Identifier: MIT
