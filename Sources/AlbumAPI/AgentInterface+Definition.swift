extension AgentInterface {
  /// What `org.varlink.service.GetInterfaceDescription` answers.
  public static let definition = """
    # For agents: processes of an owner that show prompts and return answers. Only an unsandboxed process of
    # an owner may register.
    interface io.albumd.Agent

    # What a prompt is about.
    type PromptKind (authorization, limitedPicker, picker, photoAccess, deletion, replacement)

    # addOnly: may add assets, never read. readWrite: may read, and add.
    type AccessLevel (addOnly, readWrite)

    # image: a still. video: a movie. livePhoto: a still and its paired video.
    type MediaType (image, video, livePhoto)

    # allow: everything that is asked for. limited: the assets and albums of the answer only. deny: no, and
    # never ask again. notNow: neither; the app may ask again later.
    type Decision (allow, limited, deny, notNow)

    # always: until it is changed in settings. untilExit: until the app's process ends. until: until a time.
    type Duration (always, untilExit, until)

    # The app that asks, as the daemon knows it.
    type PromptApp (
      # Its id.
      id: string,
      # Its name in the agent's language.
      name: string,
      # The name or path of its icon.
      icon: ?string,
      # Whether the user who runs it could not have forged its identity. An agent says so when not.
      verified: bool,
      # Who runs it: the login name, or the user id where there is none.
      user: string
    )

    # One question to the owner.
    type Prompt (
      # What to answer with; known to this agent only.
      id: string,
      # What it is about.
      kind: PromptKind,
      # Who asks.
      app: PromptApp,
      # The level that is asked for, in an authorization prompt.
      accessLevel: ?AccessLevel,
      # The app's own reason, in the agent's language.
      usageDescription: ?string,
      # What may be answered.
      choices: []Decision,
      # The assets that it is about.
      assets: ?[]string,
      # What is selected for the app now.
      selection: ?[]string,
      # The kinds that may be picked, in a picker; all when absent.
      mediaTypes: ?[]MediaType,
      # The most assets that may be picked, in a picker; 0 is any number.
      selectionLimit: ?int
    )

    # A prompt that needs no answer any more.
    type Withdrawal (
      # The prompt's id.
      id: string,
      # Why, for a person to read, in the language that the agent prefers.
      reason: string
    )

    # The owner's answer.
    type Answer (
      # One of the prompt's choices.
      decision: Decision,
      # The selected assets, with limited; in a picker with allow, those that were picked.
      assets: ?[]string,
      # The selected albums, with limited: what is added to them later is selected too.
      albums: ?[]string,
      # How long it holds; always when absent.
      duration: ?Duration,
      # When it ends (RFC 3339), with the duration until.
      expires: ?string
    )

    # Registers this connection as an agent. The first reply is empty: the agent is registered. Then one
    # reply for each prompt, one at a time, and for each prompt withdrawn.
    # [Requires 'more' flag]
    method Register(
      # The agent's name, for the log.
      name: string,
      # The languages of its person, best first.
      languages: ?[]string
    ) -> (
      # A question to show.
      prompt: ?Prompt,
      # A question to take away.
      withdrawn: ?Withdrawal
    )

    # Answers a prompt: on a second connection of the user whose agent was shown it, since the first one is
    # busy with the stream.
    method Respond(
      # The prompt's id.
      prompt: string,
      # The owner's answer.
      answer: Answer
    ) -> ()

    # The caller is not an owner of this library, or is an app.
    error NotAnOwner ()

    # There is no such prompt for this agent: it was answered or withdrawn.
    error NoSuchPrompt (
      # The id.
      id: string
    )

    # The answer does not fit the prompt, which stays open.
    error InvalidAnswer (
      # What does not fit.
      reason: string
    )

    """
}
