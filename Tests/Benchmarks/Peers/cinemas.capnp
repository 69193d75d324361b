@0xb2f1c0a7d94e6b53;

struct Cinema {
  id @0 :Text;
  name @1 :Text;
  address @2 :Text;
  website @3 :Text;
  latitude @4 :Float64;
  longitude @5 :Float64;
  metres @6 :UInt32;
  screens @7 :UInt32;
}

interface Cinemas {
  nearest @0 (latitude :Float64, longitude :Float64, limit :UInt32) -> (cinemas :List(Cinema));
}
