internal import AlbumTerminal
internal import Glibc

StandardDescriptors.make()
exit(Albumctl.execute().rawValue)
