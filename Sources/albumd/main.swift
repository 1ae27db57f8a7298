import ArgumentParser
import EventLoop

// First of all, before any thread exists that the signals could reach.
SignalSource.block()
Albumd.main()
