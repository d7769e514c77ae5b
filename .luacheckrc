-- What scenes may use; `.ci/run` checks scripts/ with it.
std = "lua54"
globals = { "scene", "state", "truth" }
unused_args = false -- scene.update(dt) and friends show what they are given
