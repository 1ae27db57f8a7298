import Testing

@testable import AlbumTerminal

@Suite("Help in a person's language (S73)")
struct HelpTextTests {
  private func help(_ language: String) throws -> HelpText {
    try #require(HelpText(TextsByEnglish(for: [language])))
  }

  @Test("English is left to the parser, and so is a language that nobody has translated")
  func languages() throws {
    #expect(HelpText(TextsByEnglish(for: [])) == nil)
    #expect(HelpText(TextsByEnglish(for: ["en-GB"])) == nil)
    #expect(HelpText(TextsByEnglish(for: ["de"])) == nil)
    #expect(HelpText(TextsByEnglish(for: ["en", "zh"])) == nil)
    #expect(try help("zh-CN") == help("zh-Hans"))
    #expect(try help("zh-HK") == help("zh-Hant"))
    #expect(try help("zh-Hans") != help("zh-Hant"))
  }

  @Test("both say the same things, in Chinese, with the places of the English")
  func complete() {
    let catalogues = ["zh-Hans", "zh-Hant"].map { TextsByEnglish(for: [$0]).entries }
    #expect(Set(catalogues[0].map(\.english)) == Set(catalogues[1].map(\.english)))
    #expect(catalogues[0].count > 200)
    for (english, text) in catalogues.joined() {
      #expect(text.unicodeScalars.contains { $0.properties.isIdeographic }, "\(english): \(text)")
      #expect(Self.places(text) == Self.places(english), "\(english): \(text)")
    }
  }

  private static func places(_ text: String) -> Set<Substring> {
    Set(
      text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { $0.prefix { $0 != "}" } }
    )
  }

  @Test("headings, paragraphs, names and what is said of them; what is typed stays")
  func translated() throws {
    let english = """
      OVERVIEW: Copy assets into a directory.

      Where it was taken is shown to who may know.

      USAGE: albumctl export <ids> ... <directory>

      ARGUMENTS:
        <files>                 The files, and their sidecars.

      OPTIONS:
        --purpose <purpose>     What for: keep, or wallpaper. Tells what to do next. (values: keep, wallpaper)
        --a-name-that-is-very-long <id>
                                Ask nothing.
        --pixels <pixels>       At most so many. (default: 512)

        See 'albumctl help <subcommand>' for detailed help.
      """
    #expect(
      try help("zh-CN").translated(english, columns: 60) == """
        概述：把照片和视频复制到目录中。

        拍摄地点只显示给可以知道它的应用。

        用法：albumctl export <ids> ... <directory>

        参数：
          <files>                 文件及其附属文件。

        选项：
          --purpose <purpose>     用途：keep（保存）或 wallpaper（壁
                                  纸）。会说明接下来怎么做。（可选
                                  值：keep, wallpaper）
          --a-name-that-is-very-long <id>
                                  不询问。
          --pixels <pixels>       最多这么多。（默认值：512）

          详细说明：albumctl help <subcommand>
        """)
  }

  @Test(
    "what is wrong with a command line",
    arguments: [
      ("Unknown option '--levle'. Did you mean '--level'?", "没有选项“--levle”。是不是“--level”？"),
      ("Unknown option '--x'", "没有选项“--x”。"), ("Missing expected argument '<id>'", "缺少参数“<id>”。"),
      (
        "The value 'x' is invalid for '--level <level>'. Please provide one of 'addOnly' and 'readWrite'.",
        "“--level <level>”的值不能是“x”，可以是：'addOnly'、'readWrite'。"
      ),
      ("The value ''' is invalid for '--since <time>'", "“--since <time>”的值不能是“'”。"),
      ("There is no command foo. See which there are: albumctl --help", "没有命令 foo。查看有哪些：albumctl --help"),
      // What is known of nothing stays as it is.
      ("Something else", "Something else"), ("Unknown option '", "Unknown option '"),
    ])
  func mistakes(english: String, chinese: String) throws {
    let text = "Error: \(english)\nHelp:  <id>  The asset's id (albumctl assets).\nUsage: albumctl open <id>"
    #expect(
      try help("zh").translated(text, columns: 200)
        == "错误：\(chinese)\n说明：<id>  照片或视频的标识（albumctl assets）。\n用法：albumctl open <id>")
  }

  @Test("what is no help stays as it is")
  func others() throws {
    for text in ["", "1.2.3", "#compdef albumctl\n  OPTIONS:\n", "{\"serializationVersion\": 0}"] {
      #expect(try help("zh").translated(text, columns: 20) == text)
    }
  }

  @Test("a file's lines that are none say nothing")
  func parsing() {
    let lines = [
      "# \"a\": \"b\"", "\"a\": \"一\"", "\"b \\\"q\\\"\": \"二\\\"\"", "\"c\": 三", "\"d\"", "\"e\": \"五\" x",
      "\"",
      "\"f {x} g\": \"{x}\"",
    ]
    let catalogue = TextsByEnglish(parsing: Array(lines.joined(separator: "\n").utf8))
    #expect(catalogue.entries.count == 3)
    #expect(catalogue.text(for: "a") == "一")
    #expect(catalogue.text(for: "b \"q\"") == "二\"")
    #expect(catalogue.text(for: "f 1 g") == "1")
    #expect(catalogue.text(for: "f 1 h") == nil)
    #expect(catalogue.text(for: "f  g") == "")
    #expect(catalogue.text(for: "f g") == nil)
    #expect(catalogue["a"] == "一" && catalogue["f g"] == "f g")
  }

  @Test("lines are broken at spaces and beside ideographs, never before a closing mark, never in a command")
  func lines() {
    let text = "甲乙丙，丁戊（己庚）辛 /a/path/that/is/longer/than/a/line 壬癸"
    for width in 6...40 {
      let lines = TextWidth.wrapIdeographs(text, into: width)
      for line in lines where !line.contains("/") { #expect(TextWidth.columns(of: line) <= width) }
      #expect(lines.allSatisfy { !"，）".contains($0.first ?? "x") && $0.last != "（" && $0.last != " " })
      #expect(lines.contains { $0.contains("/a/path/that/is/longer/than/a/line") })
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
    #expect(TextWidth.wrapIdeographs("", into: 10) == [""])
  }
}
