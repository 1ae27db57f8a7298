import Testing

@testable import AlbumTerminal

@Suite("The order of picking")
struct PickOrderTests {
  @Test("S71: first picked is first; what is picked again after it was left out comes last")
  func order() {
    var order = PickOrder(["c", "a"])
    order.insert("b")
    order.insert("a")
    #expect(order.ids == ["c", "a", "b"] && order.count == 3)
    order.remove("c")
    #expect(order.ids == ["a", "b"] && !order.contains("c"))
    order.insert("c")
    #expect(order.ids == ["a", "b", "c"])
  }
}
