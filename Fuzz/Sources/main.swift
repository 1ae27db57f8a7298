import CLibFuzzer
import Glibc

// The fuzzer is named by the environment: libFuzzer starts itself again with arguments of its own.
guard let name = getenv("FUZZER") else {
  for fuzzer in Fuzzer.all { print(fuzzer.name, fuzzer.longest) }
  exit(0)
}
guard let fuzzer = Fuzzer.all.first(where: { $0.name == String(cString: name) }) else {
  fatalError("there is no fuzzer \(String(cString: name))")
}
Fuzzer.running = fuzzer

var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    Fuzzer.running?.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
  })
