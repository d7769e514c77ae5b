---@meta sandbell
-- The Lua API of Sandbell, for editors. Made by
--     sandbell help --api-stubs
-- from the tables that scripts are read with: change those.
-- Units are SI; a range holds both of its ends.
-- luacheck: ignore

---Three numbers { x, y, z }; y is up.
---@alias sandbell.Vec3 number[]

---What sb.body takes.
---@class (exact) sandbell.BodyDef
---@field shape sandbell.Shape sb.bar { ... } or another
---@field material? sandbell.Material|string or its name; optional only for sb.modes, sb.rigid and sb.floor
---@field position? sandbell.Vec3 -1e+06 .. 1e+06 m; of its centre, y is up; default { 0, 0, 0 }
---@field gain? number 0 .. 1000; of its sound, linear; default 1
---@field surface? sandbell.Surface roughness under what rolls and slides on it; default by its material
---@field weights? sandbell.Texture|false mode weights over the surface, from sb.texture; default, and false: the mode shapes
---@field role? "both"|"exciter"|"resonator" an exciter strikes others and never rings, a resonator rings and never strikes others; default both
---@field diffuse? boolean|sandbell.DiffuseDef modes above a crossover become noise: wood, doors; false: modes too many to be held are left out instead of becoming noise; true: they are noise even if the shape has `modes`
---@field nonlinear? sandbell.NonlinearDef stiffness grows with amplitude: gongs, thin sheets
---@field motion? "fixed"|"free"|"scripted" it stays, it falls and collides, or it keeps its velocity through all obstacles; default fixed
---@field discretisation? "exact"|"direct"|"euler"|"bilinear"|"naive" how its modes are sampled, for teaching: direct is detuned where low, euler sharp, bilinear flat, naive folds what is above half the sample rate; default exact
---@field rotation? number[] { x, y, z, angle }: an axis and radians about it; default no rotation
---@field velocity? sandbell.Vec3 -100000 .. 100000 m/s; initial; default { 0, 0, 0 }
---@field spin? sandbell.Vec3 -100000 .. 100000 rad/s; initial, about the world's axes; default { 0, 0, 0 }
---@field restitution? number 0 .. 1; speed after a bounce over speed before; if both bodies give one, their geometric mean; if one does, that; default by material, less what the modes take
---@field friction? number 0 .. 10; coefficient (Coulomb); combined as restitution; default by material
---@field mu_static? number 0 .. 10; friction of what begins to slip, for the sound; combined as restitution. Above `friction`, what slides slowly squeaks (see `squeak` of sb.world); default: none
---@field rolling? number 0 .. 1; rolling resistance, as a share of the radius of curvature in the rolling direction, more for a rim that lies nearly flat; default by its material
---@field lever? number 0 .. 1 m; rolling resistance as a length: torque over load, against rolling and against spinning; combined as restitution; default by `rolling`
---@field drag? number 0 .. 1e+06 m^2; drag coefficient times area, in the air and the wind of sb.world; default 0: none
---@field mass? number 1e-09 .. 1e+09 kg; of a free body; default by shape and material
---@field collider? sandbell.ColliderDef|string its collision shape, or the kind of it; default by shape
---@field impacts? sandbell.ImpactsDef how its impacts in the world sound, instead of all that sb.world says of it; of two bodies that have it, that of `a` of scene.contact holds; default as sb.world says

---The diffuse part of sb.body.
---@class (exact) sandbell.DiffuseDef
---@field crossover? number 50 .. 15000 Hz; modes above this become noise, except the lowest mode; default 800
---@field level? number 0 .. 1000; of the noise, linear; default 1: as loud as the modes it replaces
---@field t60? number|number[][] s; time to fall by 60 dB, or a list of { freq, t60 }, interpolated between; default that of the modes

---The nonlinear part of sb.body.
---@class (exact) sandbell.NonlinearDef
---@field amplitude? number 1e-09 .. 10 m; of the lowest mode at which its pitch is a semitone higher; default half the thickness, or 1 mm
---@field stiffness? number 1e-06 .. 1e+30 N/m^3; instead of amplitude: force over displacement cubed, at each place
---@field at? number[]|number[][] the place { u, v } that stiffens, or a list of up to 4; default 4 that together affect every mode
---@field distortion? number 1e-09 .. 1e+06 N s/m; instead of stiffening, or in addition: the clipped velocity at the first place is fed back as an opposing force
---@field knee? number 1e-09 .. 1000 m/s; velocity above which that is clipped; default 0.1

---What body:strike takes.
---@class (exact) sandbell.StrikeDef
---@field at? sandbell.At|number[] { u =, v = } on the surface, each 0 to 1 (scripts/guide/places.md draws them); default: where such a thing is usually struck
---@field point? sandbell.Vec3 -1e+06 .. 1e+06 m; in the world; the nearest place on the body is struck
---@field direction? sandbell.Vec3 -1000 .. 1000; of the strike; default straight into the surface
---@field speed? number 0 .. 1000 m/s; of the striker; give this or impulse
---@field impulse? number 0 .. 10000 N s; given instead of speed
---@field mass? number 1e-06 .. 10000 kg; of the striker; default that of a ball of its radius, else a tenth of the body's, at most 0.03
---@field radius? number 1e-06 .. 100 m; where it touches; default that of a ball of its mass
---@field stiffness? number 0.001 .. 1e+20 N/m^exponent; of the contact; default Hertz's, from materials and radius
---@field exponent? number 1 .. 4; force grows with depth to this power; default 1.5
---@field lambda? number 0 .. 1e+20 N s/m^(exponent+1); loss in the contact; default 0: no speed is lost
---@field hardness? number 1 .. 1e+13 N/m; of the striker's spring (pulse); default as hard as the body
---@field contact? "auto"|"impulse"|"pulse"|"trapezoid"|"kmethod"|"gradient" contact model; default gradient, pulse if hardness or stiffening is given; with impulse instead of speed: impulse, pulse if mass, hardness or stiffening is given
---@field gravity? number -1000 .. 1000 m/s^2; on the striker, toward the body; more than 0 implies bounce; default with bounce the part of 9.81 along the strike, else 0
---@field material? sandbell.Material|string of the striker; default the body's
---@field bounce? boolean true: the striker may come back, until it lies still; default: one blow, the striker is gone once it moves away from the body (gradient and kmethod)
---@field with? sandbell.Body the striker is this body: its mass and material are used, and both ring
---@field with_at? sandbell.At|number[] the place on `with` that touches; default: where it is usually struck
---@field stiffening? number 0 .. 1e+09 1/m; relative increase of the spring's hardness per depth (pulse)
---@field curve? number[][] m/s; { { speed, played speed }, ... }: straight lines from 0 to the first point and between the points, constant after the last; default: each speed is played as it is
---@field limit? number 1e-12 .. 10000 N s; greatest impulse: a stronger strike sounds as strong as this
---@field onset? number 1e-06 .. 1000 m/s; the speed from which a strike gets shorter and brighter, whatever its mass and hardness
---@field scatter? sandbell.ScatterDef|number micro-impacts after it, more after a faster strike; a number is their rate
---@field graze? sandbell.GrazeDef|boolean split a strike at an angle (its direction, the slip of an impact): the part into the surface strikes, the part along it scrapes

---A place on a body's surface.
---@class (exact) sandbell.At
---@field u? number 0 .. 1; along the surface; default 0.5
---@field v? number 0 .. 1; across the surface; default 0.5

---Micro-impacts that follow a strike.
---@class (exact) sandbell.ScatterDef
---@field rate? number 0 .. 1000 s/m; expected number per m/s of the strike; at most 64
---@field spread? number 0.0001 .. 10 s; mean delay after the strike; default 0.02
---@field level? number 0 .. 1; greatest speed, as a share of the strike's; they are distributed evenly from 0; default 0.3

---The scrape of a strike at an angle.
---@class (exact) sandbell.GrazeDef
---@field time? number 0.001 .. 10 s; duration of the scrape for a strike along the surface, shorter the steeper it is; default 0.06
---@field roughness? number 1e-08 .. 0.1 m; of the surface; default the body's own
---@field slide? number 0 .. 1; 1: it slides, 0: it rolls, between: both; default 1
---@field level? number 0 .. 10000; of the scrape; default 1

---What body:strike returns: estimates in closed form.
---@class sandbell.Struck
---@field impulse number N s; given to the body
---@field duration number s; of the contact
---@field peak_force number N; greatest force
---@field graze number s; duration of the scrape; 0: none
---@field bounces boolean gravity brings the striker back; else it is one blow

---One of body:modes.
---@class sandbell.Mode
---@field freq_hz number Hz; frequency
---@field t60_s number s; time to fall by 60 dB
---@field t60_material_s number s; by what the material, and touches, take
---@field t60_air_s number s; by what it radiates; math.huge where that is not counted
---@field label string name of the mode
---@field played_hz number Hz; frequency that is heard; 0: none; see `discretisation`
---@field played_t60_s number s; likewise
---@field cents number cents; error of the played frequency

---What body:weights takes.
---@class (exact) sandbell.PlaceDef
---@field at? sandbell.At|number[] { u =, v = } on the surface, each 0 to 1; default: where such a thing is usually struck
---@field point? sandbell.Vec3 -1e+06 .. 1e+06 m; in the world; the nearest place on the body
---@field direction? sandbell.Vec3 -1000 .. 1000; of the motion; default normal to the surface

---What sb.deformable takes.
---@class (exact) sandbell.DeformableDef
---@field shape sandbell.Shape a bar, box or filled mesh becomes tetrahedra; a plate, tube or mesh with a thickness becomes a shell
---@field material sandbell.Material|string or its name
---@field elements? number 1 .. 500; along its longest side; default 30 for a bar and six across it, else 24; the work grows with the third or fourth power
---@field hold? "free"|"clamped"|"clamped-free"|"clamped-pinned"|"pinned" which ends or edges are held; default as the shape says
---@field motion? "fixed"|"free" fixed: it stays where it is and is struck there; free: it falls, and what is not held moves; default fixed
---@field position? sandbell.Vec3 -1e+06 .. 1e+06 m; of its centre, y is up; default { 0, 0, 0 }
---@field rotation? number[] { x, y, z, angle }: an axis and radians about it; default no rotation
---@field velocity? sandbell.Vec3 -1000 .. 1000 m/s; initial, of a free one; default { 0, 0, 0 }
---@field spin? sandbell.Vec3 -1000 .. 1000 rad/s; initial, of a free one; default { 0, 0, 0 }
---@field gain? number 0 .. 1000; of its sound, linear; default 1

---What body:push takes for a deformable body.
---@class (exact) sandbell.PushDef
---@field force? sandbell.Vec3 -1e+09 .. 1e+09 N; in the world; shared by mass among what is in the box
---@field moment? sandbell.Vec3 -1e+09 .. 1e+09 N m; on a sheet
---@field duration? number 1e-06 .. 10000 s; constant for so long; or give times and values
---@field at? sandbell.At|number[] { u =, v = } on the surface: one point
---@field box? sandbell.Vec3[] m; { low, high }: all of it between two corners, in its own axes at rest
---@field times? number[] s; from now on, rising; with `values`
---@field values? number[] at these times, straight lines between them
---@field freq? number 0 .. 24000 Hz; times a sine of this frequency; default 0: none

---What body:drive takes.
---@class (exact) sandbell.DriveDef
---@field displacement? sandbell.Vec3 -1000 .. 1000 m; in the world, times the values: where what is in the box is led, from where it is now
---@field release? number 1e-06 .. 10000 s; from now on until it is let go; default: never
---@field clamped? boolean sheets: nor does it turn
---@field loose? boolean led along the displacement only; free across it
---@field at? sandbell.At|number[] { u =, v = } on the surface: one point
---@field box? sandbell.Vec3[] m; { low, high }: all of it between two corners, in its own axes at rest
---@field times? number[] s; from now on, rising; with `values`
---@field values? number[] at these times, straight lines between them
---@field freq? number 0 .. 24000 Hz; times a sine of this frequency; default 0: none

---What body:touch and touch:set take.
---@class (exact) sandbell.TouchDef
---@field at? sandbell.At|number[] { u =, v = } on the surface, each 0 to 1; default: where such a thing is usually struck
---@field point? sandbell.Vec3 -1e+06 .. 1e+06 m; in the world; the nearest place on the body is touched
---@field direction? sandbell.Vec3 -1000 .. 1000; of the motion that is damped; default normal to the surface
---@field kind? "finger"|"hand"|"felt"|"table" a finger has 2 N s/m on 6 mm, a hand 20 on 40 mm, felt 8 on 15 mm, a table 60 on 30 mm
---@field damping? number 0 .. 1e+06 N s/m; of the whole patch; adds half of it times the mode shape squared to a mode's decay rate; give this or kind
---@field radius? number 0 .. 100 m; of the patch; default the kind's, else 0: a point
---@field ramp? number 0 .. 10000 s; time to set in or to change; default 0.02

---What body:deform takes.
---@class (exact) sandbell.DeformDef
---@field strain number -0.95 .. 19; moves mode k to w sqrt(1 + bend[k] strain); 0: undeformed
---@field ramp? number 0 .. 10000 s; time to reach it; default 0.02
---@field bend? number[] sensitivity of each mode, lowest first; the last number is used for all further modes; default unchanged, initially w1 / wk as for a sheet under tension

---What body:flex takes.
---@class (exact) sandbell.FlexDef
---@field depth number -19 .. 19; amplitude of the strain; repeated calls add up
---@field rate? number 0.01 .. 50 Hz; of the wobble; default 3
---@field decay? number 0.01 .. 10000 s; time to fall by 60 dB; default 2
---@field bend? number[] as for body:deform

---What body:contact takes.
---@class (exact) sandbell.LastingDef
---@field kind? "roll"|"profile"|"slide"|"creak"|"rub"|"buzz"|"rattle" of contact; default roll
---@field mass? number 1e-06 .. 10000 kg; of the thing; default that of a ball of its radius, at most 1e5, and of what slides at least 0.01, as a tool in a hand; else 0.03
---@field radius? number 1e-06 .. 100 m; where it touches; default that of a ball of its mass
---@field stiffness? number 0.001 .. 1e+20 N/m^exponent; of the contact; default Hertz's, from materials and radius
---@field exponent? number 1 .. 4; force grows with depth to this power; default 1.5
---@field lambda? number 0 .. 1e+20 N s/m^(exponent+1); loss in the contact; default 0: no speed is lost
---@field with? sandbell.Body the other body, which rings too; default a silent thing
---@field material? sandbell.Material|string of the thing; default the body's
---@field surface? sandbell.Surface to use for the body instead of its own
---@field with_surface? sandbell.Surface of the other body or thing; default smooth
---@field seed? number 0 .. 4.29497e+09; of the random numbers
---@field level? number 0 .. 1e+06; of the force; default 1
---@field gap_min? number 1e-06 .. 100 m; least distance between added micro-impacts (roll); default none are added
---@field gap_max? number 1e-06 .. 100 m; greatest distance between added micro-impacts (roll), more than twice gap_min; default 3 gap_min
---@field gap_time_min? number 0 .. 1000 s; least time between them (roll); default no limit
---@field gap_time_max? number 0 .. 1000 s; greatest time between them while it rolls (roll); default no limit
---@field strength? number 1e-06 .. 10; their mean speed, as a share of the speed (roll); default the slope of the surface, at least 0.02
---@field spread? number 1e-06 .. 1; by which their strengths vary, as a share (roll); default 0.5
---@field gaps? "even"|"poisson" distribution of these distances (roll); default even
---@field eccentricity? number 0 .. 1; of the thing, as a share of its radius (roll)
---@field interval? number 1e-09 .. 1 m/N; distance between pulses, per newton of force (creak)
---@field mu_static? number 0 .. 10; static friction (rub); default 0.4
---@field mu_kinetic? number 0 .. 10; kinetic friction (rub); default 0.2
---@field stribeck? number 1e-06 .. 100 m/s; slip over which friction falls (rub); default 0.02
---@field bristle? number 1e-09 .. 0.1 m; deflection at which it slips (rub); default 4e-6
---@field hold? number 0.001 .. 1e+12 N/m; of the spring that holds the thing (rub); default rigid
---@field apart? number -1 .. 1 m; gap between the bodies at rest (buzz); default 0
---@field force? number 0 .. 100000 N; normal force; default the weight of the thing
---@field speed? number -1000 .. 1000 m/s; of the contact along the body; default 0
---@field with_speed? number -1000 .. 1000 m/s; along the other surface; default speed for kinds that roll, else 0
---@field slip? number -1000 .. 1000 m/s; between the two; default speed - with_speed
---@field ramp? number 0 .. 10000 s; time to reach these values; default 0.01
---@field at? sandbell.At|number[] { u =, v = } where it touches; default the middle
---@field point? sandbell.Vec3 -1e+06 .. 1e+06 m; in the world; the nearest place on the body, not at
---@field direction? sandbell.Vec3 -1000 .. 1000; of the force on the body; default into the surface
---@field with_at? sandbell.At|number[] the place on the other body that touches
---@field with_direction? sandbell.Vec3 -1000 .. 1000; of the force on the other body

---What contact:set takes.
---@class sandbell.LastingChange
---@field force number 0 .. 100000 N; normal force; default the weight of the thing
---@field speed number -1000 .. 1000 m/s; of the contact along the body; default 0
---@field with_speed number -1000 .. 1000 m/s; along the other surface; default speed for kinds that roll, else 0
---@field slip number -1000 .. 1000 m/s; between the two; default speed - with_speed
---@field ramp number 0 .. 10000 s; time to reach these values; default 0.01
---@field at sandbell.At|number[] { u =, v = } where it touches; default the middle
---@field point sandbell.Vec3 -1e+06 .. 1e+06 m; in the world; the nearest place on the body, not at
---@field direction sandbell.Vec3 -1000 .. 1000; of the force on the body; default into the surface
---@field with_at sandbell.At|number[] the place on the other body that touches
---@field with_direction sandbell.Vec3 -1000 .. 1000; of the force on the other body

---What sb.surface takes.
---@class (exact) sandbell.SurfaceDef
---@field kind? "noise"|"fractal"|"grid"|"cobbles"|"stored"|"gravel" default noise; a profile is always stored
---@field seed? number 0 .. 4.29497e+09; of the random heights; default 0
---@field length? number 1e-06 .. 10000 m; least length after which the profile repeats
---@field roughness? number 0 .. 1 m; root mean square of the heights (noise, gravel, fractal)
---@field grain? number 1e-07 .. 10 m; correlation length of the heights (noise, gravel)
---@field exponent? number 0 .. 6; of the power spectrum (fractal); default 2
---@field longest? number 1e-06 .. 1000 m; wavelength (fractal)
---@field shortest? number 1e-07 .. 1000 m; wavelength (fractal)
---@field period? number 1e-06 .. 1000 m; of the grid; mean size of a stone (cobbles)
---@field depth? number 0 .. 1 m; of a groove, or of the joints between stones
---@field width? number 1e-07 .. 1000 m; of a groove at half its depth (grid)
---@field edge? number 1e-08 .. 1000 m; width of a groove's slope (grid)
---@field variety? number 0 .. 1; relative variation of the stones' sizes and heights (cobbles)
---@field profile? string a WAV or FLAC file, a picture whose brightness is the height, or a .gltf file with an acousticSurface of KHR_audio_rigid_bodies
---@field height? number 0 .. 10 m; that full scale of the profile stands for; default 1e-4
---@field spacing? number 1e-07 .. 10 m; from one value of the profile to the next; default 1e-4
---@field row? number 1 .. 16384; of the picture, from the top; default all, as a height map
---@field beyond? "repeat"|"mirror"|"clamp" how the profile continues after its end; default repeat
---@field grains? sandbell.GrainsDef loose grains that collide; gravel has some by default

---Loose grains on a surface.
---@class (exact) sandbell.GrainsDef
---@field activity? number 0 .. 1e+12 1/(s N^2); collisions per second and square newton of the contact force
---@field most? number 1 .. 20000 1/s; greatest number of collisions per second
---@field impulse? number 0 .. 1 N s; of the largest grain
---@field shortest? number 1e-06 .. 0.01 s; duration of a collision, for the smallest grain
---@field longest? number 1e-06 .. 0.01 s; duration of a collision, for the largest grain

---What sb.texture takes.
---@class (exact) sandbell.TextureDef
---@field path? string a picture; with %d, one picture per mode, numbered from 1 or 0
---@field files? string[] of pictures, instead of path
---@field channels? "grey"|"rgba" rgba: four modes per picture; default grey: one
---@field modes? (integer|integer[])[] the mode of each picture, or { first, last }; default 1, 2, 3 ...
---@field encoding? "auto"|"plain"|"signed" plain: black is 0; signed: mid-grey is 0; default auto: as the file says, else plain
---@field wrap? "clamp"|"repeat" repeat where right and left edge meet; default clamp

---What sb.bar takes.
---@class (exact) sandbell.BarDef
---@field length number 1e-05 .. 100 m; along x
---@field width number 1e-05 .. 100 m; along z
---@field thickness number 1e-05 .. 100 m; along y, the direction of a strike
---@field support? "free"|"clamped"|"clamped-clamped"|"clamped-free"|"pinned"|"pinned-pinned"|"clamped-pinned"|"hinged" how it is held; default free
---@field theory? "timoshenko"|"euler" timoshenko, the default, includes shear and rotary inertia
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.plate takes.
---@class (exact) sandbell.PlateDef
---@field width number 1e-05 .. 100 m; along x
---@field depth number 1e-05 .. 100 m; along z
---@field thickness number 1e-05 .. 100 m; along y
---@field support? "free"|"clamped"|"clamped-free"|"pinned"|"simply-supported" how it is held; default free
---@field theory? "auto"|"kirchhoff"|"mindlin" kirchhoff for thin ones, mindlin with shear and rotary inertia; default auto, whichever is right, and a solid if thicker than a fifth of its shorter side
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.disk takes.
---@class (exact) sandbell.DiskDef
---@field radius number 1e-05 .. 100 m; in the plane of x and z
---@field thickness number 1e-05 .. 100 m; along y
---@field support? "free"|"clamped"|"pinned"|"simply-supported" how it is held; default free
---@field theory? "auto"|"kirchhoff"|"mindlin" kirchhoff for thin ones, mindlin with shear and rotary inertia; default auto, whichever is right, and a solid if thicker than a fifth of its shorter side
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.membrane takes.
---@class (exact) sandbell.MembraneDef
---@field radius? number 1e-05 .. 100 m; round; or width and depth
---@field width? number 1e-05 .. 100 m; along x
---@field depth? number 1e-05 .. 100 m; along z
---@field tension number 0.001 .. 1e+08 N/m; force per metre of its edge
---@field surface_density number 0.0001 .. 10000 kg/m^2; mass per area
---@field kettle? number 1e-05 .. 100 m; depth of the closed bowl below a round one; its air counts with radiation = "exact"
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.string takes.
---@class (exact) sandbell.StringDef
---@field length number 1e-05 .. 100 m; between the bridges
---@field diameter number 1e-05 .. 100 m; of the wire
---@field tension number 0.001 .. 1e+08 N; force at its ends
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.ring takes.
---@class (exact) sandbell.RingDef
---@field radius number 1e-05 .. 100 m; to the middle of the wire
---@field wire_radius? number 1e-05 .. 100 m; round wire; or width and thickness
---@field width? number 1e-05 .. 100 m; of flat wire, along y
---@field thickness? number 1e-05 .. 100 m; of flat wire, along the radius
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.sphere takes.
---@class (exact) sandbell.SphereDef
---@field radius number 1e-05 .. 100 m; of the full ball
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.box takes.
---@class (exact) sandbell.BoxDef
---@field width number 1e-05 .. 100 m; along x
---@field height number 1e-05 .. 100 m; along y, up
---@field depth number 1e-05 .. 100 m; along z
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.cylinder takes.
---@class (exact) sandbell.CylinderDef
---@field radius number 1e-05 .. 100 m; in the plane of x and z
---@field length number 1e-05 .. 100 m; along its axis, y
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.floor takes: nothing.
---@class (exact) sandbell.FloorDef

---What sb.tube takes.
---@class (exact) sandbell.TubeDef
---@field length number 1e-05 .. 100 m; along its axis, y
---@field radius number 1e-05 .. 100 m; from the axis to the middle of the wall
---@field thickness number 1e-05 .. 100 m; of the wall
---@field support? "free"|"clamped"|"clamped-free"|"pinned"|"simply-supported" of its ends; clamped-free holds the lower one, pinned keeps both round; default free
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.cone takes.
---@class (exact) sandbell.ConeDef
---@field radius number 1e-05 .. 100 m; of its base, to the middle of the wall
---@field top_radius? number 1e-05 .. 100 m; where it is cut off; default 0, a point
---@field height number 1e-05 .. 100 m; along its axis, y
---@field thickness number 1e-05 .. 100 m; of the wall
---@field support? "free"|"clamped"|"clamped-free" clamped holds its base; default free
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.revolve takes.
---@class (exact) sandbell.RevolveDef
---@field profile number[][] points { r, y } or { r, y, t } (m) in the middle of the wall, r from the axis, t the thickness there
---@field join? "curve"|"lines" how points are joined; default curve: an arc from point to point, with a fold where the profile turns by more than 40 degrees; lines: straight
---@field thickness? number 1e-05 .. 100 m; of the wall, for points that give none
---@field support? "free"|"clamped"|"clamped-free" clamped holds the first ring, or, if the profile begins on the axis, all up to its second point; default free
---@field method? "analytic"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" how its modes are found; default analytic, the others cut it into elements
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.hollow takes.
---@class (exact) sandbell.HollowDef
---@field width number 1e-05 .. 100 m; along x, outside
---@field height number 1e-05 .. 100 m; along y, up
---@field depth number 1e-05 .. 100 m; along z
---@field thickness number 1e-05 .. 100 m; of its walls
---@field elements? number 1 .. 500; along its longest side; default chosen by its size
---@field modes? number 1 .. 4096; at most this many, the lowest; default as many as are needed
---@field max_hz? number 1 .. 1e+06 Hz; modes up to here; default 22000
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false is off; default 1 for shapes of elements, 0 for closed forms
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.rigid takes.
---@class (exact) sandbell.RigidDef
---@field radius? number 1e-05 .. 100 m; it is a ball of the body's material; default an ideal half-space

---One mode of sb.modes.
---@class (exact) sandbell.ModeDef
---@field freq? number 1 .. 100000 Hz; or the first of a list
---@field t60? number 0.0001 .. 10000 s; time to fall by 60 dB; or the second of a list
---@field gain? number -1000 .. 1000; default 1; or the third of a list
---@field q? number 1 .. 1e+09; instead of t60: pi freq t60 / ln 1000

---What sb.mesh takes.
---@class (exact) sandbell.MeshDef
---@field scale? number 1e-09 .. 1e+09; all lengths of the file times this; default 1
---@field method? "auto"|"shell"|"solid"|"tet4"|"springs"|"springs-literal" default auto: shell with a thickness, else solid; see thickness
---@field thickness? number 1e-06 .. 10 m; of the sheet whose middle the surface is; a closed surface that is thinner inside than two such walls is full
---@field clamp? (fun(p: sandbell.Point): any)|sandbell.Box|string nodes to hold: a test of points, a box, or "edges"
---@field hold? "clamped"|"pinned" what clamp does; pinned lets it turn
---@field modes? number 1 .. 4096; compute at most this many
---@field max_hz? number 1 .. 1e+06 Hz; compute modes up to here; default 22000
---@field elements? number 1 .. 500; least number along the longest side; default chosen by size
---@field merge? number|boolean modes nearer than this many just noticeable differences become one; 0 or false keeps them all, and so their beats; default 1
---@field radiation? "quick"|"exact" how loud its modes are in the air; exact, the default: by boundary elements, in about half a second, once, and they lose it; quick: by a law too soft for the low modes of free plates

---What sb.model takes.
---@class (exact) sandbell.ModelDef
---@field modes? number 1 .. 4096; take at most this many
---@field max_hz? number 1 .. 1e+06 Hz; take modes up to here; default 22000
---@field merge? number|boolean as for sb.mesh
---@field radiation? "quick"|"exact" as for sb.mesh

---A box with its edges along the axes.
---@class sandbell.Box
---@field low sandbell.Vec3 -1e+06 .. 1e+06 m; its lowest corner
---@field high sandbell.Vec3 -1e+06 .. 1e+06 m; its highest corner

---A point that is passed to clamp.
---@class sandbell.Point
---@field x number m; to the right
---@field y number m; up
---@field z number m; towards the listener

---What sb.material takes.
---@class (exact) sandbell.MaterialDef
---@field base? sandbell.Material|string a material, or the name of one, to start from
---@field density? number 1 .. 100000 kg/m^3; mass of a cubic metre
---@field youngs_modulus? number 1000 .. 2e+12 Pa; stiffness; along the grain, if there is one. Changed alone, it takes the moduli across the grain and of shear along, so that mode ratios stay
---@field poisson_ratio? number -0.99 .. 0.499; transverse over axial strain
---@field alpha? number 0 .. 100000 1/s; damping by mass: all modes alike; default 5
---@field beta? number 0 .. 1 s; damping by stiffness: high modes more; default 1e-7
---@field hardness? number 1 .. 1e+13 N/m; stiffness of a contact with it; default 1e8
---@field roughness? number 0 .. 0.1 m; rms height of its surface; default 1e-5
---@field restitution? number 0 .. 1; speed after a bounce of a ball on a massive block over speed before; default 0.5
---@field friction? number 0 .. 10; Coulomb's coefficient; default 0.4
---@field youngs_modulus_across? number 0 .. 2e+12 Pa; stiffness across the grain of wood, used by bars and plates; 0, the default: isotropic
---@field shear_modulus? number 0 .. 1e+12 Pa; stiffness against shear between along and across the grain; 0, the default: isotropic

---What sb.world takes.
---@class (exact) sandbell.WorldDef
---@field gravity? sandbell.Vec3 -10000 .. 10000 m/s^2; at most 10000 in all; initially { 0, -9.81, 0 }
---@field rate? number 60 .. 10000 Hz; steps per second, each of four substeps or more; default 1000
---@field wind? sandbell.Vec3 -1000 .. 1000 m/s; velocity of the air: it drags bodies that have a `drag`; initially { 0, 0, 0 }
---@field air? number 0 .. 2000 kg/m^3; density of what drags them; initially 1.204, air at 20 C; 0, given while the scene loads: a vacuum, in which nothing is heard and modes lose what their material takes alone
---@field impact? "pulse"|"gradient" model of impacts: a pulse with the world's impulse, or a nonlinear contact; default pulse
---@field squeak? number 0 .. 100 m/s; slip below which two bodies squeak whose mu_static is above their friction, and over which friction falls; 0: none; initially 0.1
---@field occlusion? boolean rigid bodies between a body and the listener muffle it as screens do; initially false
---@field stiffening? number 0 .. 1e+09 1/m; relative increase of the spring's hardness per depth (pulse)
---@field curve? number[][] m/s; { { speed, played speed }, ... }: straight lines from 0 to the first point and between the points, constant after the last; default: each speed is played as it is
---@field limit? number 1e-12 .. 10000 N s; greatest impulse: a stronger strike sounds as strong as this
---@field onset? number 1e-06 .. 1000 m/s; the speed from which a strike gets shorter and brighter, whatever its mass and hardness
---@field scatter? sandbell.ScatterDef|number micro-impacts after it, more after a faster strike; a number is their rate
---@field graze? sandbell.GrazeDef|boolean split a strike at an angle (its direction, the slip of an impact): the part into the surface strikes, the part along it scrapes

---What sb.force takes.
---@class (exact) sandbell.ForceDef
---@field acceleration? sandbell.Vec3 -10000 .. 10000 m/s^2; the same for every mass; default { 0, 0, 0 }
---@field force? sandbell.Vec3 -1e+06 .. 1e+06 N; the same for every body; default { 0, 0, 0 }
---@field centre? sandbell.Vec3 -1e+06 .. 1e+06 m; of `pull` and `within`; default { 0, 0, 0 }
---@field pull? number -1e+06 .. 1e+06 m/s^2; acceleration towards the centre at a distance of 1 m; negative: away from it; default 0
---@field falloff? number -2 .. 4; the pull is divided by the distance to this power; -1: a spring; default 2
---@field within? number 0 .. 1e+06 m; no force farther from the centre; default everywhere
---@field frequency? number 0 .. 1000 Hz; all of it times cos(2 pi f t + phase); default 0: constant
---@field phase? number -1000 .. 1000 rad; default 0

---What sb.joint takes.
---@class (exact) sandbell.JointDef
---@field kind? "ball"|"hinge"|"slider" rotates about a point, rotates about an axis, or slides along one; default ball
---@field a? sandbell.Body one of the two; needed
---@field b? sandbell.Body the other; default the world
---@field at? sandbell.Vec3 -1e+06 .. 1e+06 m; where, in the world; default { 0, 0, 0 }
---@field axis? sandbell.Vec3 -1e+06 .. 1e+06; of a hinge or slider; default { 0, 0, 1 }
---@field low? number -1000 .. 1000 rad or m; relative to the initial position; default no limit
---@field high? number -1000 .. 1000 rad or m; likewise
---@field friction? number 0 .. 1e+06 N m or N; against its motion; default 0

---What sb.raycast returns.
---@class sandbell.Hit
---@field body sandbell.Body that was hit
---@field point sandbell.Vec3 m; where, in the world
---@field normal sandbell.Vec3 of its surface there
---@field distance number m; from where the ray begins

---The collider of sb.body.
---@class (exact) sandbell.ColliderDef
---@field kind? "auto"|"none"|"sphere"|"box"|"cylinder"|"capsule"|"ring"|"hull"|"mesh" of the collision shape; default auto: by the body's shape
---@field radius? number 1e-05 .. 1000 m; sphere, cylinder, capsule, ring
---@field wire_radius? number 1e-05 .. 1000 m; ring
---@field width? number 1e-05 .. 1000 m; box, along x
---@field height? number 1e-05 .. 1000 m; box, along y
---@field depth? number 1e-05 .. 1000 m; box, along z
---@field length? number 1e-05 .. 1000 m; cylinder along y, capsule along x
---@field smooth? boolean treat the facets of a hull or mesh as a round surface

---The impacts of sb.body.
---@class (exact) sandbell.ImpactsDef
---@field stiffening? number 0 .. 1e+09 1/m; relative increase of the spring's hardness per depth (pulse)
---@field curve? number[][] m/s; { { speed, played speed }, ... }: straight lines from 0 to the first point and between the points, constant after the last; default: each speed is played as it is
---@field limit? number 1e-12 .. 10000 N s; greatest impulse: a stronger strike sounds as strong as this
---@field onset? number 1e-06 .. 1000 m/s; the speed from which a strike gets shorter and brighter, whatever its mass and hardness
---@field scatter? sandbell.ScatterDef|number micro-impacts after it, more after a faster strike; a number is their rate
---@field graze? sandbell.GrazeDef|boolean split a strike at an angle (its direction, the slip of an impact): the part into the surface strikes, the part along it scrapes

---What sb.listener takes.
---@class (exact) sandbell.ListenerDef
---@field position? sandbell.Vec3 -1e+06 .. 1e+06 m; of the head; default { 0, 0.6, 0.8 }: what lies is silent to its own plane
---@field facing? sandbell.Vec3 -1e+06 .. 1e+06; where the nose points; default { 0, 0, -1 }
---@field gain? number 0 .. 1e+06; linear, on everything; 1: 40 Pa are full scale; default: chosen when bodies first ring, so that the loudest peaks near -20 dBFS when struck at 1 m/s, or falling or rolling as it is about to, and heard from 1 m
---@field full_scale? number|string Pa; the pressure that full scale stands for, as 2 or "2 Pa", instead of gain: 40 / gain
---@field velocity? sandbell.Vec3 -300 .. 300 m/s; velocity of the head; default { 0, 0, 0 }
---@field ears? "head"|"pair"|"pan"|"measured"|string a sphere, a pair of microphones, panning without travel time, KEMAR's measured head, or a SOFA file, own.sofa; default head
---@field spacing? number 0 .. 100 m; between the microphones of a pair; default 0.2

---What sb.air takes.
---@class (exact) sandbell.AirDef
---@field temperature? number -50 .. 60 C; the speed of sound is 331.3 sqrt(1 + T / 273.15) m/s; default 20
---@field humidity? number 0 .. 100 %; relative; default 50
---@field pressure? number 1 .. 1000 kPa; default 101.325
---@field absorption? boolean whether air absorbs sound, high frequencies most; default true

---What sb.room takes.
---@class (exact) sandbell.RoomDef
---@field size? sandbell.Vec3 -200 .. 200 m; width (x), height (y) and length (z), each from 0.5 to 200; { 0, 0, 0 }, the default: no room
---@field position? sandbell.Vec3 -1e+06 .. 1e+06 m; of the middle of the floor; default { 0, -1.2, 0 }
---@field walls? string|number|number[]|table of all walls: a material of sb.wall_materials(), what they absorb (0 to 1), or seven such numbers for 125 Hz to 8 kHz; or a table of these by wall: left, right, floor, ceiling, front (-z), back, and [1] for the others; default plaster
---@field response? string instead of a size: a file with an impulse response, mono or stereo, without the direct sound; "": none
---@field level? number dB; of the response, -120 to 40; at 0, the default, a sample of 1 is the direct sound from 1 m away
---@field decay? "eyring"|"sabine" T60 by Eyring's formula, or by Sabine's; default eyring

---What sb.reverb takes.
---@class (exact) sandbell.ReverbDef
---@field t60? number|number[] s; time to fall by 60 dB, one number, or seven for the octaves of 125 Hz to 8 kHz, from 0.05 to 60; 0, the default: no reverberation
---@field level? number -120 .. 40 dB; energy at 1 kHz, relative to the direct sound from 1 m away; default -6
---@field predelay? number 0 .. 1 s; time before it begins; default 0.01

---What sb.quality takes.
---@class (exact) sandbell.QualityDef
---@field budget? number 0 .. 1; share of one core for all sound, in live play; 0: no limit; default 0.6
---@field slope? number 0 .. 1e+06; 0 divides the budget equally among bodies, more favours the loudest; default 8
---@field tau? number 0 .. 32768; modes quieter than this are not mixed, in 1/32768 of full scale; default 0.01
---@field modes? number 0 .. 1e+06; greatest number mixed at once, also in a render; 0, the default: no limit

---What sb.param takes.
---@class (exact) sandbell.ParamDef
---@field min? number default 0
---@field max? number default 1
---@field default? number initial value; default min
---@field curve? "linear"|"log" how a slider runs through the range; default linear

---What sb.stats returns.
---@class sandbell.Stats
---@field time number s; scene time
---@field sample_rate number Hz; frames per second
---@field frames number rendered so far
---@field bodies number in the scene
---@field sounding number bodies that ring
---@field active_modes number modes that ring
---@field modes_wanted number modes loud enough to be mixed
---@field modes_mixed number modes mixed in the last block
---@field modes_dropped number modes left out; see sb.quality
---@field dropped_db number dBFS; level of the modes left out; -200 if none
---@field strikes number begun so far
---@field dropped_strikes number left out: queue full or no time
---@field late_commands number commands that came after their time
---@field muted number bodies set to rest because of a NaN
---@field peak_db number dBFS; of the last block
---@field limiter_db number dB; gain of the limiter
---@field energy_in number J; work done by strikers and contacts since the first sb.stats()
---@field energy_out number J; dissipated, or kept by strikers
---@field energy_now number J; of modes, contacts and strikers
---@field energy_drift number (in - out - now) / in
---@field missed_deadlines number of the audio thread
---@field cpu_share number of the audio thread, 0 to 1
---@field device_losses number sound devices lost
---@field device_returns number sound devices found again
---@field world_bodies number bodies that can collide
---@field world_awake number free bodies that move
---@field world_rate number Hz; steps per second; 0: no world
---@field world_contacts number lasting contacts now
---@field world_lost number bodies that left the bounds of the world
---@field lua_bytes number bytes; allocated by the script

---What is passed to scene.contact.
---@class sandbell.Contact
---@field a sandbell.Body the body that was struck
---@field b sandbell.Body? the body it was struck with
---@field kind string "strike"; from the world: "impact", the beginning of a "roll", "slide" or "rest", and "end"
---@field time number s; of the scene
---@field impulse number N s; given to the body
---@field duration number s; of the contact
---@field speed number m/s; of the striker, into the surface, as it is played; from the world: along the normal
---@field slip number m/s; along the surface
---@field force number N; greatest force of a strike or impact; normal force of a roll, slide or rest
---@field restitution number? of a strike or impact: speed after over speed before, if it is known
---@field bounces boolean? of a strike: gravity brings the striker back
---@field u number? along the surface, 0 to 1, of a strike on a body with texture coordinates
---@field v number? across the surface, likewise
---@field point sandbell.Vec3 m; in the world
---@field normal sandbell.Vec3 of the surface, into a

---One of sb.strikes.
---@class sandbell.Strike
---@field body sandbell.Body that was struck
---@field by string? "hand", the action whose button was pressed, or nil: the scene itself
---@field time number s; of the scene
---@field speed number m/s; of the striker; 0: not known
---@field impulse number N s; given to the body
---@field duration number s; of the contact
---@field restitution number? speed after over speed before, if it is known
---@field point sandbell.Vec3 m; in the world
---@field u number? along the surface, 0 to 1
---@field v number? across the surface, likewise
---@field energies number[] J; that a half-sine pulse of this impulse and duration gives to the lowest modes, at most 24

---What counts for a question.
---@class sandbell.QuestionRules
---@field strikes string[] whose strikes count, for sb.strikes in check: "hand" (the default), and actions whose buttons were pressed
---@field unit string of the answer: "s", "ms", "Hz", "kHz", "dB", "%"; one that is typed is converted; default: a plain number

---Something that rings when struck.
---@class sandbell.Body
local Body = {}

---Strike it now with a striker of some speed, mass and hardness.
---@param strike sandbell.StrikeDef
---@return sandbell.Struck
function Body:strike(strike) end

---Start something that rolls, slides, creaks, rubs or buzzes on it.
---@param contact sandbell.LastingDef
---@return sandbell.LastingContact
function Body:contact(contact) end

---Move it to a position, m, and a rotation { x, y, z, angle }; a free body is at rest there.
---@param position sandbell.Vec3
---@param rotation? number[]
---@return sandbell.Body
function Body:place(position, rotation) end

---A force on a free body, N, that acts until it is set again.
---@param force sandbell.Vec3
---@return sandbell.Body
function Body:force(force) end

---Give a free body an impulse, N s, at a point in the world, or at its centre; push a deformable one by a force that changes with time.
---@param impulse sandbell.Vec3|sandbell.PushDef
---@param point? sandbell.Vec3
---@return sandbell.Body
function Body:push(impulse, point) end

---Lead a part of a deformable body along a path, and let it go.
---@param drive sandbell.DriveDef
---@return sandbell.Body
function Body:drive(drive) end

---Another body with the same mesh and material, of modes: what a deformable one is for small amplitudes. It is in the same place; if it is fixed, nothing touches it. While the scene loads.
---@param name? string
---@return sandbell.Body
function Body:linear(name) end

---Of its centre, m.
---@return sandbell.Vec3
function Body:position() end

---{ x, y, z, angle }: an axis and radians about it.
---@return number[]
function Body:rotation() end

---The velocity of its centre, m/s; with an argument, set it.
---@param velocity? sandbell.Vec3
---@return sandbell.Vec3|sandbell.Body
function Body:velocity(velocity) end

---Its spin about the world's axes, rad/s; with an argument, set it.
---@param spin? sandbell.Vec3
---@return sandbell.Vec3|sandbell.Body
function Body:spin(spin) end

---Whether it is at rest and not simulated; always true if fixed.
---@return boolean
function Body:is_asleep() end

---Get or set its gain, 0 .. 1000, linear.
---@param gain? number
---@return number|sandbell.Body
function Body:gain(gain) end

---Put a damper on it that stays until it is lifted.
---@param touch sandbell.TouchDef
---@return sandbell.Touch
function Body:touch(touch) end

---Strain it: its pitches shift, the lowest most, while it rings.
---@param deform sandbell.DeformDef
---@return sandbell.Body
function Body:deform(deform) end

---Start it wobbling, which modulates its pitches.
---@param flex sandbell.FlexDef
---@return sandbell.Body
function Body:flex(flex) end

---The mode shapes at a place, along the normal, kg^-1/2: how strongly a strike there excites each mode.
---@param place? sandbell.PlaceDef
---@return number[]
function Body:weights(place) end

---How loud each mode is towards a place in the world, m, or towards the listener, relative to its mean over all directions; 1 for a mode that is heard alike in all of them. As the far field is.
---@param place? sandbell.Vec3
---@return number[]
function Body:directivity(place) end

---The energies of its modes now, J; nil while the first are measured. One body at a time is measured.
---@return number[]?
function Body:energies() end

---Its modes, lowest first, with touches and deformations applied.
---@return sandbell.Mode[]
function Body:modes() end

---Its name.
---@return string
function Body:name() end

---Fade it out and remove it.
function Body:remove() end

---A damper on a body.
---@class sandbell.Touch
local Touch = {}

---Change it; fields that are not given keep their values.
---@param touch sandbell.TouchDef
---@return sandbell.Touch
function Touch:set(touch) end

---Lift it, over ramp seconds (default 0.02); false if it has been lifted already.
---@param ramp? number
---@return boolean
function Touch:lift(ramp) end

---Something that rolls, slides, creaks, rubs or buzzes on a body.
---@class sandbell.LastingContact
local LastingContact = {}

---Change load, speeds or place, over ramp seconds.
---@param change sandbell.LastingChange
---@return sandbell.LastingContact
function LastingContact:set(change) end

---End the contact with a fade, s; default 0.02.
---@param fade? number
function LastingContact:stop(fade) end

---Whether it is going on; it ends when one of its bodies is removed.
---@return boolean
function LastingContact:lasts() end

---The roughness of a body, for what rolls and slides over it.
---@class sandbell.Surface
local Surface = {}

---How strongly the modes of a body answer at its places.
---@class sandbell.Texture
local Texture = {}

---A geometry, for sb.body.
---@class sandbell.Shape
local Shape = {}

---What a body is made of. It does not change; derive a new one.
---@class sandbell.Material
---@field name string as it was given
---@field density number 1 .. 100000 kg/m^3; mass of a cubic metre
---@field youngs_modulus number 1000 .. 2e+12 Pa; stiffness; along the grain, if there is one. Changed alone, it takes the moduli across the grain and of shear along, so that mode ratios stay
---@field poisson_ratio number -0.99 .. 0.499; transverse over axial strain
---@field alpha number 0 .. 100000 1/s; damping by mass: all modes alike; default 5
---@field beta number 0 .. 1 s; damping by stiffness: high modes more; default 1e-7
---@field hardness number 1 .. 1e+13 N/m; stiffness of a contact with it; default 1e8
---@field roughness number 0 .. 0.1 m; rms height of its surface; default 1e-5
---@field restitution number 0 .. 1; speed after a bounce of a ball on a massive block over speed before; default 0.5
---@field friction number 0 .. 10; Coulomb's coefficient; default 0.4
---@field youngs_modulus_across number 0 .. 2e+12 Pa; stiffness across the grain of wood, used by bars and plates; 0, the default: isotropic
---@field shear_modulus number 0 .. 1e+12 Pa; stiffness against shear between along and across the grain; 0, the default: isotropic
local Material = {}

---A number that can be changed; call it to read it.
---@class sandbell.Param
---@overload fun(): number
local Param = {}

---Set it, within its range.
---@param value number
function Param:set(value) end

---sb.params: all params by name; called, it returns a table of their values.
---@class sandbell.Params
---@field hardness number the value of the param of that name, for every name; assign to set it, within its range
---@overload fun(): table<string, number>
local Params = {}

---Something that is going to happen.
---@class sandbell.Timer
local Timer = {}

---Cancel it; false if it has ended already.
---@return boolean
function Timer:cancel() end

---What the scene does when; all of them may be left out.
---@class sandbell.Scene
---@field start? fun() on the first load and after a reset
---@field update? fun(dt: number) every control step of dt seconds
---@field contact? fun(contact: sandbell.Contact) when something is struck, by a script, a page or a program, or the world's bodies meet
---@field reload? fun() after the scene was loaded again
scene = {}

---Survives when the scene is loaded again; emptied by a reset.
---@type table
state = {}

---What was measured of the thing; for sandbell truth.
---@class (exact) sandbell.Truth
---@field object string what was measured
---@field source string who measured it, and where that is written
---@field measured number[] frequencies, or values as unit says
---@field bound number|number[] %, or dB: greatest error, of all or of each value
---@field unit? string default Hz; of levels dB
---@field ratio? boolean all values are relative to the first
---@field rms? boolean the bound is that of the root mean square of all errors
---@field names? string[] of the values
---@field body? string its name, if the scene has several
---@field modes? string|string[] beginning of the labels of the modes that were measured, or one for each value
---@field computed? fun(peak: number): number|number[] values that are not frequencies of modes
---@field run? number s; of the scene before they are computed
---@field miss? string believed cause where it is known that the bound does not hold
---@type sandbell.Truth?
truth = nil

---@class sandbell
---@field version string of Sandbell
---@field params sandbell.Params the params of the scene, by name
local sb = {}

---Create a body. After a reload it is the same body if its name is the same.
---@param name string
---@param def sandbell.BodyDef
---@return sandbell.Body
function sb.body(name, def) end

---The body of that name, or nil.
---@param name string
---@return sandbell.Body?
function sb.find(name) end

---Create a body that bends, buckles and snaps. It is computed, not played live: render takes seconds per second, and run computes first.
---@param name string
---@param def sandbell.DeformableDef
---@return sandbell.Body
function sb.deformable(name, def) end

---Describe the roughness of a body, for what rolls or slides on it.
---@param name string
---@param def sandbell.SurfaceDef
---@return sandbell.Surface
function sb.surface(name, def) end

---Weights of modes over the surface, from pictures: PNG, JPEG, BMP, TGA or HDR.
---@param def string|string[]|sandbell.TextureDef
---@return sandbell.Texture?, string?, string?
function sb.texture(def) end

---A straight bar, struck across its thickness.
---@param def sandbell.BarDef
---@return sandbell.Shape
function sb.bar(def) end

---A flat rectangle.
---@param def sandbell.PlateDef
---@return sandbell.Shape
function sb.plate(def) end

---A flat round plate.
---@param def sandbell.DiskDef
---@return sandbell.Shape
function sb.disk(def) end

---A drum skin, round or a rectangle.
---@param def sandbell.MembraneDef
---@return sandbell.Shape
function sb.membrane(def) end

---A stretched string.
---@param def sandbell.StringDef
---@return sandbell.Shape
function sb.string(def) end

---A ring of wire, hanging free.
---@param def sandbell.RingDef
---@return sandbell.Shape
function sb.ring(def) end

---Modes given by hand: { freq, t60, gain } each, or by name, with q instead of t60; 1 to 4096 of them.
---@param list (number[]|sandbell.ModeDef)[]
---@return sandbell.Shape
function sb.modes(list) end

---A full ball.
---@param def sandbell.SphereDef
---@return sandbell.Shape
function sb.sphere(def) end

---A full box, such as a die or a domino.
---@param def sandbell.BoxDef
---@return sandbell.Shape
function sb.box(def) end

---A full cylinder, upright.
---@param def sandbell.CylinderDef
---@return sandbell.Shape
function sb.cylinder(def) end

---The half-space below y = 0: it stays where it is and does not ring.
---@param def? sandbell.FloorDef
---@return sandbell.Shape
function sb.floor(def) end

---A round tube, upright, open at both ends.
---@param def sandbell.TubeDef
---@return sandbell.Shape
function sb.tube(def) end

---The wall of a cone, upright: pointed, or cut off at the top.
---@param def sandbell.ConeDef
---@return sandbell.Shape
function sb.cone(def) end

---A wall turned about y: a bell, bowl, glass, wok, vase.
---@param def sandbell.RevolveDef
---@return sandbell.Shape
function sb.revolve(def) end

---A closed box with walls: a crate, a tin, a cajon.
---@param def sandbell.HollowDef
---@return sandbell.Shape
function sb.hollow(def) end

---Something that does not ring itself.
---@param def? sandbell.RigidDef
---@return sandbell.Shape
function sb.rigid(def) end

---A shape from a file: OBJ, PLY, STL, glTF, GLB, TetGen or Gmsh.
---@param path string
---@param def? sandbell.MeshDef
---@return sandbell.Shape?, string?, string?
function sb.mesh(path, def) end

---A shape whose modes are in a file: .modal, or .gltf with KHR_audio_rigid_bodies.
---@param path string
---@param def? sandbell.ModelDef
---@return sandbell.Shape?, string?, string?
function sb.model(path, def) end

---A material of the library by its name, or a new one. Without `base`, density, youngs_modulus and poisson_ratio are needed.
---@param name string
---@param def? sandbell.MaterialDef
---@return sandbell.Material
function sb.material(name, def) end

---The names of all materials in the library.
---@return string[]
function sb.materials() end

---Set the rules of motion; fields that are not given keep their values.
---@param def sandbell.WorldDef
function sb.world(def) end

---Add a force on all free bodies: uniform, towards a centre, or oscillating; at most 16. For any other force call body:force in scene.update.
---@param def sandbell.ForceDef
function sb.force(def) end

---Join two bodies, or a body and the world.
---@param name string
---@param def sandbell.JointDef
function sb.joint(name, def) end

---The nearest body along a ray of some length (default 1000 m), or nil.
---@param origin sandbell.Vec3
---@param direction sandbell.Vec3
---@param distance? number
---@return sandbell.Hit?
function sb.raycast(origin, direction, distance) end

---Place the two ears; fields that are not given keep their values.
---@param def sandbell.ListenerDef
function sb.listener(def) end

---Describe the air; fields that are not given keep their values.
---@param def sandbell.AirDef
function sb.air(def) end

---Put a box-shaped room around everything: early reflections and a late field; fields that are not given keep their values.
---@param def sandbell.RoomDef
function sb.room(def) end

---What walls of each material absorb, 0 to 1, at 125 Hz to 8 kHz.
---@return table<string, number[]>
function sb.wall_materials() end

---How long the room rings at 125 Hz to 8 kHz, s; 0: there is none.
---@return number[]
function sb.room_t60() end

---Add reverberation of any kind; fields that are not given keep their values.
---@param def sandbell.ReverbDef
function sb.reverb(def) end

---Set limits for when there is too much sound; fields that are not given keep their values.
---@param def sandbell.QualityDef
function sb.quality(def) end

---A number that can be changed while the scene runs, and set with --set.
---@param name string
---@param def sandbell.ParamDef
---@return sandbell.Param
function sb.param(name, def) end

---Run a function as a coroutine; it may call sb.sleep.
---@param run fun()
---@return sandbell.Timer
function sb.go(run) end

---Wait, in scene time, inside sb.go; 0 .. 1e7 s.
---@param seconds number
function sb.sleep(seconds) end

---Call a function once, after this scene time; 0 .. 1e7 s.
---@param seconds number
---@param run fun()
---@return sandbell.Timer
function sb.after(seconds, run) end

---Call a function repeatedly, with this period; 1e-4 .. 1e7 s.
---@param seconds number
---@param run fun()
---@return sandbell.Timer
function sb.every(seconds, run) end

---Scene time, s.
---@return number
function sb.now() end

---Counters and levels of the running scene.
---@return sandbell.Stats
function sb.stats() end

---Load the scene again, as if it had been saved; `state` stays.
function sb.reload() end

---Load the scene again with an empty `state`; scene.start runs again.
function sb.reset() end

---A button of a lesson: its text names it, and run may call sb.sleep.
---@param name string
---@param run fun()
function sb.action(name, run) end

---A task of a lesson. check looks at the running scene and returns whether the task is done, and a sentence; answer is what the student typed, a number if it is one. Computing with NaN is no answer.
---@param name string
---@param check fun(answer: number|string|nil): boolean
---@param string?, rules? sandbell.QuestionRules
---@param rules? sandbell.QuestionRules
function sb.question(name, check, string, rules) end

---Run an action.
---@param name string
function sb.press(name) end

---Ask a question: is the task done, and a sentence.
---@param name string
---@param answer? number|string
---@return boolean, string
function sb.ask(name, answer) end

---The latest strikes of scripts and of hands in the studio, at most 64, newest last. In a question: those that count for it.
---@return sandbell.Strike[]
function sb.strikes() end

return sb
