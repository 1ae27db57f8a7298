import AlbumDaemon
import ArgumentParser
import EventLoop
import Linux

// First of all, before any thread exists that the signals could reach.
SignalSource.block()
ResourceLimits.raiseOpenFiles()
ResourceLimits.returnMemory()
Helpers.start()
Albumd.main()
