/// How what is known in films is called.
extension ISOPlaces {
  /// Boxes of a film that hold numbers, and words of the standards.
  static let known: Set = [
    "mvhd", "tkhd", "mdhd", "hdlr", "vmhd", "smhd", "hmhd", "sthd", "nmhd", "gmhd", "dinf", "iods", "edts",
    "tref", "mvex",
    "trex", "mehd", "mfhd", "tfhd", "tfdt", "trun", "sbgp", "sgpd", "saiz", "saio", "subs", "senc", "load",
    "clip",
    "matt", "imap", "tapt", "ctab", "elng", "txas", "trgr", "sdtp",
  ]
  static let knownInSampleTable: Set = [
    "stsd", "stts", "ctts", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stps", "stsh", "sdtp", "padb",
    "stdp", "sbgp",
    "sgpd", "subs", "saiz", "saio", "cslg", "stri",
  ]

  /// What users of a film have beside its texts (QuickTime File Format, 3GPP TS 26.244, iTunes): how it plays, who it is by. What else
  /// is there is a camera's own, with numbers among which may be coordinates (Nikon's `NCDT`, Pentax's `TAGS`).
  private static let userData: Set = [
    "name", "cprt", "titl", "auth", "dscp", "gnre", "perf", "albm", "yrrc", "rtng", "clsf", "kywd", "coll",
    "thmb",
    "hnti", "hinf", "hinv", "tsel", "ptv ", "WLOC", "LOOP", "SelO", "AllF", "tagc", "date", "vndr", "SDLN",
    "smrd", "smta", "saut", "chpl", "Xtra", "FIRM", "LENS", "kind", "strk", "ludt", "free", "skip", "desc",
    "TIM ",
    "TSC ", "TSZ ", "\0\0\0\0",
  ]

  /// Whether it is known what a box of user data is: a text, or one of those.
  static func isKnownUserData(_ type: String) -> Bool {
    type.hasPrefix("\u{A9}") || userData.contains(type)
  }

  static let xmp: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  static let iptc: [UInt8] = [
    0x33, 0xC7, 0xA4, 0xD2, 0xB8, 0x1D, 0x47, 0x23, 0xA0, 0xBA, 0xF1, 0xA3, 0xE0, 0x97, 0xAD, 0x38,
  ]

  /// Garmin's, which are numbers without a mark.
  static let garmin: [UInt8] = [
    0x9B, 0x63, 0x0F, 0x8D, 0x63, 0x74, 0x40, 0xEC, 0x82, 0x04, 0xBC, 0x5F, 0xF5, 0x09, 0x17, 0x28,
  ]

  /// What is looked through for marks in a film too: how it goes around whoever watches it, and Sony's title.
  static let others: [[UInt8]] = [
    [0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD],
    [0x55, 0x53, 0x4D, 0x54, 0x21, 0xD2, 0x4F, 0xCE, 0xBB, 0x88, 0x69, 0x5C, 0xFA, 0xC9, 0xC7, 0x40],
  ]
}
