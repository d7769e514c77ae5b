-- An error that a script catches is raised again outside.
-- fails: more than 20 million instructions without a pause
function scene.start()
  while true do
    pcall(function() while true do end end)
  end
end
