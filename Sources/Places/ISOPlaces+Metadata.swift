/// Metadata in boxes: as items with keys, as documents, and what stands beside the items of a picture.
extension ISOPlaces {
  /// Metadata as items with keys, as QuickTime's (`mdta`) and iTunes' (`mdir`) are; or the items of a picture.
  mutating func lookAtMetadata(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    // QuickTime's has no version before its boxes.
    let isBare = try view.has("hdlr", at: box.content.lowerBound + 4)
    let start = box.content.lowerBound + (isBare ? 0 : 4)
    guard start <= box.content.upperBound else { return }
    let content = start..<box.content.upperBound
    var children: [Box] = []
    var at = content.lowerBound
    while at < content.upperBound, let child = try Self.box(view, at: at, end: content.upperBound) {
      guard children.count < 256 else { throw Untraceable() }
      children.append(child)
      at = child.whole.upperBound
    }
    guard content.upperBound - at < 8 else { throw Untraceable() }
    if children.contains(where: { $0.type == "iloc" || $0.type == "iinf" }) {
      try HEIFPlaces(view, children, depth).find(&found)
    }
    let keys: [String] =
      if let box = children.first(where: { $0.type == "keys" }) { try names(box) } else { [] }
    for child in children where child.type == "ilst" { try lookAtItems(child, keys, &found) }
    for child in children {
      switch child.type {
      case "uuid": try lookAtOwn(child, isOfFile: true, &found)
      case "iprp": try lookAtProperties(child, &found)
      case "free", "skip": try freeSpace.empty(child, in: view, &found)
      // A document, as text and packed: what Sony's cameras were set to, and measured.
      case "xml ", "bxml":
        guard child.content.count <= Self.longest else { throw Untraceable() }
        if ISOFreeSpace.isMarked(try view.bytes(child.content)) { try free(child, &found) }
      default: break
      }
    }
  }

  private func names(_ keys: Box) throws(Untraceable) -> [String] {
    var names: [String] = []
    var at = keys.content.lowerBound + 8
    while keys.content.upperBound - at >= 8 {
      let length = try view.number(at: at, 4)
      guard length >= 8, length <= keys.content.upperBound - at, names.count < 4096 else {
        throw Untraceable()
      }
      names.append(
        String(decoding: try view.start(min(length - 8, 512), at: at + 8), as: UTF8.self).lowercased())
      at += length
    }
    return names
  }

  private mutating func lookAtItems(
    _ list: Box, _ keys: [String], _ found: inout FoundPlaces
  ) throws(Untraceable) {
    var at = list.content.lowerBound
    while list.content.upperBound - at >= 8 {
      guard let item = try Self.box(view, at: at, end: list.content.upperBound) else { throw Untraceable() }
      boxes += 1
      guard boxes <= Self.most else { throw Untraceable() }
      let index = try view.number(at: at + 4, 4)
      let key = (1...max(1, keys.count)).contains(index) && !keys.isEmpty ? keys[index - 1] : ""
      if ["location", "gps", "latitude", "longitude", "altitude"].contains(where: key.contains) {
        try free(item, &found)
      } else {
        try lookAtItem(item, &found)
      }
      at = item.whole.upperBound
    }
  }

  func lookAtItem(_ box: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    if Self.places.contains(box.type) { return try free(box, &found) }
    // A cover is a picture with metadata of its own; what else is long says nothing of this.
    let isCover = box.type == "covr"
    if isCover, box.content.count > Self.longest { throw Untraceable() }
    guard isCover || box.content.count <= 1 << 16 else { return }
    let content = try view.bytes(box.content)
    let isMarked = isCover ? Marks.isThere(in: content) : ISOFreeSpace.isMarked(content)
    if isMarked || ISO6709.isThere(in: content) { try free(box, &found) }
  }

  /// What items have of the same: where a picture lies on earth (OGC's), what people and programs say of it.
  private func lookAtProperties(_ properties: Box, _ found: inout FoundPlaces) throws(Untraceable) {
    var boxes = 0
    for container in try children(of: properties, &boxes) where container.type == "ipco" {
      for property in try children(of: container, &boxes) {
        if Self.geographic.contains(property.type) {
          try free(property, &found)
        } else if property.type != "colr" {
          guard property.content.count <= Self.longest else { throw Untraceable() }
          if Marks.isThere(in: try view.bytes(property.content)) { try free(property, &found) }
        }
      }
    }
  }

  private static let geographic: Set = ["mcrs", "mtxf", "tiep"]

  private func children(of box: Box, _ count: inout Int) throws(Untraceable) -> [Box] {
    var children: [Box] = []
    var at = box.content.lowerBound
    while at < box.content.upperBound, let child = try Self.box(view, at: at, end: box.content.upperBound) {
      count += 1
      guard count <= Self.most else { throw Untraceable() }
      children.append(child)
      at = child.whole.upperBound
    }
    return children
  }
}
