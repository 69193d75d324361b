import Festivals

/// Any bytes are a programme in each format, and the map of a floor.
func fuzzFestivals(_ bytes: UnsafeBufferPointer<UInt8>) { FestivalsFuzzing.run(Array(bytes)) }
