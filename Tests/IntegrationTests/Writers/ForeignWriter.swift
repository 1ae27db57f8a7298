/// A program that nobody here wrote, and how it writes into a library. All begin with the same library, and most bring a
/// copy of it in which every picture is another: `$LIBRARY`, `$COPY`; and there is `$SCRATCH`.
struct ForeignWriter: Sendable, CustomStringConvertible {
  let description: String
  /// What must be installed, which scripts/deps does.
  let program: String
  /// For bash(1).
  let script: String

  private init(_ description: String, _ program: String, _ script: String) {
    (self.description, self.program, self.script) = (description, program, script)
  }

  /// Pictures in albums, of which some have a second name in a third; and the copy.
  static let preparation = """
    colors=()
    for n in {10..33}; do colors+=(xc:"rgb($n,$((n * 7)),$((n * 3)))"); done
    mkdir -p "$LIBRARY"/{Trip,Home,Best} "$SCRATCH/pictures" "$SCRATCH/edited"
    convert -size 8x8 "${colors[@]}" "$SCRATCH/pictures/p%02d.jpg"
    convert -size 24x16 -seed 1 "${colors[@]}" -attenuate 2 +noise Gaussian "$SCRATCH/edited/p%02d.jpg"
    place() {
      cp "$1"/p0?.jpg "$1"/p10.jpg "$1"/p11.jpg "$2/Trip"
      cp "$1"/p1[2-9].jpg "$2/Home"
      cp "$1"/p2?.jpg "$2"
      for n in 0 1 2 3 4 5; do ln "$2/Trip/p0$n.jpg" "$2/Best/p0$n.jpg"; done
    }
    place "$SCRATCH/pictures" "$LIBRARY"
    mkdir -p "$COPY"/{Trip,Home,Best,New}
    place "$SCRATCH/edited" "$COPY"
    cp "$SCRATCH/edited/p05.jpg" "$COPY/New/new.jpg"
    touch -d '2020-02-02 02:02:02' "$COPY"/*/*.jpg
    """

  static let all: [ForeignWriter] =
    copying + unpacking + editing + [
      ForeignWriter(
        "git switch and stash", "git",
        """
        cd "$LIBRARY"
        export HOME="$SCRATCH" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
        git init -q -b before .
        git add . && git commit -qm before
        git switch -qc after
        cp -a "$COPY"/. . && git rm -q --cached Home/p12.jpg && mv Home/p12.jpg Home/moved.jpg
        git add . && git commit -qm after
        git switch -q before && git switch -q after
        cp "$SCRATCH/pictures/p03.jpg" Home/p13.jpg
        git stash -q && git checkout -q before -- Trip && git stash -q && git stash pop -q
        """),
      ForeignWriter(
        "unison", "unison",
        """
        export HOME="$SCRATCH" UNISON="$SCRATCH/unison"
        unison "$COPY" "$LIBRARY" -batch -prefer "$COPY" -times -silent -log=false
        rm "$COPY/Home/p14.jpg"; mv "$COPY/Trip" "$COPY/Tour"
        unison "$COPY" "$LIBRARY" -batch -prefer "$COPY" -times -silent -log=false
        """),
      ForeignWriter(
        "stress-ng in directories", "stress-ng",
        """
        mkdir "$LIBRARY/stress"
        stress-ng --temp-path "$LIBRARY/stress" --seed 7 --quiet --timeout 20 \\
          --dir 1 --dir-ops 300 --dirdeep 1 --dirdeep-inodes 600 --dirdeep-ops 1200 --rename 1 --rename-ops 3000 \\
          --link 1 --link-ops 20 --dentry 1 --dentry-ops 4000 --dentries 200 --filename 1 --filename-ops 400 \\
          --file-ioctl 1 --file-ioctl-ops 200 --utime 1 --utime-ops 2000
        """),
    ]

  private static let copying = [
    rsync("rsync", "-a"), rsync("rsync --inplace", "-a --inplace"),
    rsync("rsync --backup", "-a --backup"), rsync("rsync --hard-links --backup", "-aH --backup"),
    rsync("rsync --hard-links --delete", "-aH --delete"),
    rsync("rsync --delay-updates", "-a --delay-updates"),
    rsync("rsync --partial", "-a --partial --partial-dir=.rsync-partial"),
    ForeignWriter(
      "rsync --link-dest", "rsync",
      #"rsync -a --link-dest="$LIBRARY/Trip" "$LIBRARY/Trip/" "$LIBRARY/Snapshot/""#),
    ForeignWriter("cp", "cp", #"cp -a "$COPY"/. "$LIBRARY""#),
    ForeignWriter("cp --remove-destination", "cp", #"cp -a --remove-destination "$COPY"/. "$LIBRARY""#),
    ForeignWriter(
      "mv", "mv", #"mv -f "$COPY"/Home/* "$LIBRARY/Home"; mv "$LIBRARY/Trip" "$LIBRARY/Home/Trip""#),
  ]

  private static func rsync(_ description: String, _ options: String) -> ForeignWriter {
    ForeignWriter(description, "rsync", #"rsync \#(options) "$COPY"/ "$LIBRARY"/"#)
  }

  private static let unpacking = [
    tar("tar", ""), tar("tar --unlink-first", "--unlink-first"), tar("tar --overwrite", "--overwrite"),
    ForeignWriter(
      "unzip -o", "unzip",
      #"cd "$COPY"; zip -qr "$SCRATCH/copy.zip" .; unzip -qo "$SCRATCH/copy.zip" -d "$LIBRARY""#),
  ]

  private static func tar(_ description: String, _ options: String) -> ForeignWriter {
    ForeignWriter(
      description, "tar",
      #"cd "$COPY"; find . -type f | sort | tar -T - -cf - | tar -C "$LIBRARY" \#(options) -xf -"#)
  }

  private static let editing = [
    exiftool("exiftool", ""), exiftool("exiftool -overwrite_original", "-overwrite_original"),
    exiftool("exiftool -overwrite_original_in_place", "-overwrite_original_in_place"),
    ForeignWriter(
      "exiv2", "exiv2",
      #"exiv2 -M"set Exif.Image.ImageDescription Ascii described" "$LIBRARY"/*.jpg "$LIBRARY"/*/*.jpg"#),
    ForeignWriter("mogrify", "mogrify", #"mogrify -resize 5x5 "$LIBRARY"/*.jpg "$LIBRARY"/*/*.jpg"#),
  ]

  private static func exiftool(_ description: String, _ options: String) -> ForeignWriter {
    ForeignWriter(
      description, "exiftool", #"exiftool -q \#(options) -ImageDescription=described -r "$LIBRARY""#)
  }
}
