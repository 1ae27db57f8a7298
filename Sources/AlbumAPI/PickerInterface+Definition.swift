extension PickerInterface {
  /// What `org.varlink.service.GetInterfaceDescription` answers.
  public static let definition = """
    # For apps that need a few photos and no access: the owner picks, the app gets open files.
    interface io.albumd.Picker

    # image: a still. video: a movie. livePhoto: a still and its paired video.
    type MediaType (image, video, livePhoto)

    # One asset that the owner picked.
    type PickedItem (
      # Its id, where the app's own authorization lets it see the asset; absent elsewhere.
      id: ?string,
      # The file's name.
      filename: string,
      # The same name without loss, percent-encoded, when it is not UTF-8.
      percentEncodedFilename: ?string,
      # What kind of asset it is.
      mediaType: MediaType,
      # The index of the descriptor among those sent with this reply: open for reading, and the very file
      # that was picked. Absent when it is not accessible.
      fileDescriptor: ?int,
      # Of a live photo, the index of its paired video's descriptor. Absent when that cannot be read, or no
      # room is left for it: a message carries 253 descriptors, and the photos go before.
      pairedVideoFileDescriptor: ?int,
      # The extension of the paired video's file, such as MOV. The rest of its name is the photo's.
      pairedVideoExtension: ?string,
      # Whether the app gets it. Not when the owner refused it (requestAccess), nor when its file cannot be
      # read at present.
      accessible: bool
    )

    # Shows the owner the whole library to pick from, and answers when they have picked: the oldest asset
    # first; no items when they did not want to. It needs no authorization, whatever the app's status, and
    # gives none: the descriptors are all that the app gets. Fails with io.albumd.Authorization.NoAgent when
    # no agent of an owner is there, with io.albumd.Authorization.Busy while another prompt of the app is
    # open, and with io.albumd.Authorization.Throttled for a while after three that the owner put off.
    method Pick(
      # The kinds that may be picked; all when absent. At least one.
      mediaTypes: ?[]MediaType,
      # The most that may be picked; 0, or absent, is as many as one reply carries, which is 253.
      selectionLimit: ?int,
      # Asks the owner as well, for what was picked outside of what the app may see, whether it may access
      # it. What is allowed joins the selection of a limited app that has a usage description; the rest comes
      # without a descriptor.
      requestAccess: ?bool,
      # The language of the message, such as en or zh-Hans.
      language: ?string
    ) -> (
      # What was picked.
      items: []PickedItem,
      # How many of them are not accessible.
      inaccessibleCount: int,
      # What to tell the person when that is not 0.
      message: ?string
    )

    """
}
