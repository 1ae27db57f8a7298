/// Everything that is said to people, by the key under which `Catalogues/en.yaml` says and explains it.
package enum Phrase: String, Hashable, Sendable, CaseIterable {
  // What an app asks (albumctl agent).
  case askAddOnly, askReadWrite, askLimitedPicker, askPicker, askPickerAtMost, askPhotoAccessOne
  case askPickerAtLeast, askPickerBetween, askPickerExactly
  case askPhotoAccessOther, askDeletionOne, askDeletionOther, askReplacement, askReversion, app, user
  case replacementPictures, verified, knownBy
  case notVerified, waiting, tooSmall, askLocation, locationOn, locationOff
  case evidenceExecutable, evidenceFlatpak, evidenceSnap, evidenceUnit, evidenceUserUnit, evidenceSandbox

  // The answers.
  case allow, allowAll, delete, replace, pickPhotos, selectPhotos, selectAmong, deny, notNow, leave, back
  case revert, howLong, always, untilExit, untilTime, untilWhen, hour, day, week, month, sending

  // The picker.
  case reading, selecting, photosTitle, albumsTitle, albumTitle, selectedTitle, candidatesTitle, foundBy
  case search, searchHelp, nothing, nothingOfType, video, livePhoto, offline, shared, albumCount, selected
  case selectedPhotos, atMost, withAlbum, limitReached, albumsAreNotTaken, nothingPicked, keys, albumKeys
  case onceMore, albumKeysInPicker, moreBelow, atLeast, minimumNotReached

  // What the agent records.
  case answeredAllow, answeredLimited, answeredPicked, answeredDeny, answeredNotNow, heldUntilExit
  case answeredLocation
  case heldUntil, report, withdrawn, goneRequester, goneDecided, goneRestated, goneOwnFirst, goneNotAnOwner,
    notAnswered
  case promptGone, registered, lost

  // Access: the settings page (albumctl settings), the log (albumctl log), albumctl status.
  case addOnly, readWrite, notDetermined, restricted, denied, authorized, limited, meansNotDetermined
  case meansRestricted, meansDenied, meansAuthorized, meansLimited, meansLimitedOf, comma, grant
  case grantSelected, grantUntilExit, grantUntil, grantPolicy, grantDecided, grantOwnerDecided
  case grantLastUsed, addsAnyway, withLocation, withoutLocation, grantLocationFor, grantLocationKept
  case grantNoLocation, grantNoLocationFor

  // The settings page.
  case noSuchApp, seeWhichApps, appManifest, appNoManifest, appSeen, logTitle, keyAllow, keySelected
  case keyWhich, keyDeny, keyForget, keyLine, keyLeave, settingsHowLong, settingsUntilWhen, settingsReset
  case done, leftAsItWas, nothingSelected, policyDecides, addingIsNotLimited, appOfUser, grantFact, changeIt
  case soThatItMayAsk, keyLocation, noLocationToSwitch

  // The log.
  case logSeveralApps, logRequest, logRequestAny, logDecision, logPutOff, logAccess, logChanged
  case logSettings, logFetch, logOpenOne, logOpenOther, logAdd, logDelete, logDeleteAsked, logReplace
  case logReplaceAsked, logRevert, logRevertAsked, logCreateAlbumOne, logCreateAlbumOther, logAddToAlbum,
    logRemoveFromAlbum
  case logMoveAlbumOne, logMoveAlbumOther
  case logArrangeAlbum
  case logDeleteAlbumOne, logDeleteAlbumOther, logRenameAsset, logMoveAssets, logFavorite, logHide
  case logRestore, logPurge, logPick, logPickAsked, logOwner, logAgent, logRefused, logRefusedAny
  case logTimes, logAssetsInAll, logAsOwner, logOutcome, logUser, logByAgent
  case logByAgentUser, logBySettings, logBySettingsUser, logByPolicy, logByPolicyEnd, logByExpiry
  case logByExit, logByDisuse
  case logDetail, logAssetsOne, logAssetsOther, logSelection, cameToNotNow, cameToUserRefused
  case cameToNoAgent, cameToThrottled, cameToBusy, cameToNoUsage, cameToAnotherApp
  case cameToLockedByPolicy, cameToNotStored

  // Tables: albumctl apps, settings, selection, deleted, policies, status.
  case columnApp, columnName, columnUser, columnLevel, columnStatus, columnMeaning, columnDecided
  case columnUntil, columnID, columnKind, columnSize, columnDeleted, columnKeptUntil, columnBy, columnPolicy
  case columnEffect, columnApps, columnUsers, columnLevels, columnAppsNow, columnReason, columnFile
  case columnBrowser, columnBegan, columnSeen
  case untilAppExits, anOwner, everybody, notInLibrary

  // What an app asks for (albumctl request, manage, pick).
  case askFirst, goOn, declinedHere, ownerPutOff, manageNothing, manageAll, manageNotLimited, pickedNone
  case pickedInaccessible, pickedWithoutMovie

  // What the commands of an owner come to.
  case nothingDeleted, notRestored, purgeAll, resetAll, nothingChanged, purgedOne, purgedOther, resetOne
  case resetOther, selectedFor, selectedForLater, noSuchID, noPolicies, reloadLater
  case countsUnsaved, decidedForUsers, selectedTogether, sharedNotSeen

  // The state of the library (albumctl info).
  case infoDaemon, infoSocket, infoState, infoAssets, infoAlbums, infoToken, infoRoot, infoScan, stateScanning
  case stateReady, stateDegraded, stateOffline

  // The doctor (albumctl doctor): what was found, and with do… what to do about it.
  case ok, warning, error, nothingWrong, configurationRight, doConfiguration, ownersOne, ownersOther
  case ownersNone, doOwners, manifestsOne, manifestsOther, programMissing, doProgramMissing
  case programReplaceable, doProgramReplaceable, noUsage, doNoUsage, policyAppsOne, policyAppsOther
  case policyNoApps, doPolicyNoApps, doDirectoryAway, rootNotLookedAt, rootNotMounted, rootOtherFileSystem
  case rootNotAnswering
  case libraryUnwatched, libraryUnreadable, libraryAway, doMountAway, libraryOverfull, doOverfull,
    libraryMoreDirectories, libraryOffline, rootNotWritable, doGiveDirectory, rootOpen, readersEverybody,
    readersGroup, readersUser, doRootOpen, rootRight, freeSpace
  case doNoSpace, doLittleSpace, photosUnreadableOne, photosUnreadableOther, doPhotosUnreadable
  case undescribableOne, undescribableOther, doUndescribable
  case sharedMissing, doSharedMissing
  case watchesMissing, watchesScarce, watchesNeeded, watchesNeededAlone, doSysctl
  case instancesScarce, instancesNeeded, instancesNeededAlone, doStateMissing, stateNotWritable
  case stateReadable, stateRight, agentsNone, doAgents, agentsOne, agentsOther, peersRight, peersUnknown
  case doPeers, clockNotSet, doClockNotSet, clockSetBack, doClockSetBack, clockRight, logLost, doLogLost
  case picturesMissing, picturesUnread, doPictures, picturesWithoutLandlock
  case damagedKept, doDamagedKept, backupOld, doBackupOld
  case wordsUnreadable, wordsSyntax, wordsUnknownKey, wordsTwice, wordsPlaces, wordsMore, wordsMissing
  case wordsLanguage
  case doWords

  // Failures (AlbumClient's errors): what is the matter, and with adv… what to do about it.
  case errNoAgent, advStartAgent, advWaitForAgent, errUsageMissing, advWriteUsage, advReload,
    errThrottledAdding, errThrottled, advAskAgainSeconds, advAskAgainMinutes, advAskAgainHours, errBusy,
    advAskWhenAnswered, errUnidentified, advWhoAmI, errNotAuthorized, errNoSuchAsset, advAssets,
    errNoSuchResource, advResources, errPreviewUnreadable, errPreviewBroke, errPreviewUnavailable,
    errPreviewBusy, errNoSuchAlbum, advAlbums, errTokenExpired, advFetchAnew, errOffline,
    advWhenMounted, errNotMedia, errTooLarge, advAddBytes, errNoSpace, advMakeRoom, errInvalidFile,
    errTooManyAlbums, advUseAlbums, advAlbumsPerApp, errTooDeep, advFurtherUp, advAlbumDepth, errLastAlbum,
    advDelete, errCannotLink, errUserRefused, errNotAnOwner, advOwnersGroup, advOwnersNamed, advNeverOwner,
    errNoSuchPrompt, errInvalidAnswer, errNoSuchDeleted, advDeleted, errCannotRestore, errNoSuchApp,
    errLocked, advOpenLevels, advPolicyThere, errConfiguration, errInvalidParameter, errNotSupported,
    advOlder, errPermissionDenied, errFailed, errNotServed, errNotStored, errClosed, advJournal,
    errNotRunningNoSocket,
    errNotRunningLeft, errMayNotConnect, errConnectBusy, errPathTooLong, errCannotConnect, advStart,
    advOtherSocket, advSocketMode, advTryAgain, errResources, advUlimit, errNotReadable,
    errLocationUsageMissing, errNotGranted, errLocationKept, advLocationKept, guideHeadingSettings,
    doneBefore, nothingDone, notDeleted, twoFiles, notAPair, titleFault, errNameTaken, errMoveOtherRoot,
    errMoveInsideItself, errMoveMounted, errMoveShared, advMoveShared, errReadOnly, fileNameFault,
    errAlbumOtherFiles, errAlbumTooMany, errAlbumNotSeen, errFlagsNotSupported, errNoAdjustment
  case promptsNeedTerminal

  // Smart albums.
  case smartRecents, smartFavorites, smartVideos, smartLivePhotos, smartScreenshots, smartPanoramas, smartRaw
  case smartRecentlyAdded

  // The page (albumweb, albumctl page).
  case pageHidden, pageFavorite
  case pageTitle, pageMenu, pageSkip, pageApps, pagePhotos, pageLog, pageDeleted, pageLibrary
  case pageSessions, pageSessionsText, pageThisBrowser, pageEndSession, pageOutside, pageOutsideText
  case pageWrongCode, pageWrongCodeText, pageWelcome, pageWelcomeText, pageGoOn, pageProblem, pageNotFound
  case pageBusy, pageFailed, pageVerified, pageNotVerified, pageLevelRead, pageLevelAdd
  case pageLocation, pageHowLong, pageMore, pageTooSoon, pageNothingSelected, pageSelectAnyway, pageMissed
  case pageMissedText, pageWaiting, pageRecent, pageWholeLog, pageNoApps, pageUndecided, pageForbidden
  case pageMayNotAdd, pageMayNotSee, pageMayAdd, pageMaySee, pageMaySeeSome, pageChangeSelection
  case pageForget, pageDid, pageAll, pageKind, pageFind, pageSearch, pageKindRequest, pageKindDecision
  case pageKindFetch, pageKindOpen, pageKindAdd, pageKindChange, pageKindDelete, pageKindPick, pageKindOwner
  case pageKindRefused
  case pageRestore, pagePurge, pageSure, pageDaysLeftOne, pageDaysLeftOther, pageFindings, pageError
  case pageWarning, pageRescan, pageNoScript, pageSelectedCount, pageSelectDay, pageShared, pageAlbumLater
  case pageDone, pagePickDone, pageAllPhotos, pageRaw, pageUndated, pageAlbumsAlso, pageBack
  case pageOneAlbum, pageAccessRead, pageAccessAdd, pageCameOpen, pageCameForbidden
  case pageCameRefused, pageCameAllowed, pageCameSome, pageFolder, pageCut, pageNow, pageInstead, pageAnswer
  case pageAgain, pagePrevious, pageNext, pageMonths, pagePicksKept, pagePickedAgain
  case pageOpenPicture, pageHint, pageLinkFor, pageNotRunning, pageStart, pageNotOurs, pageNotOpened
  case pageNoSessions, pageNoSession, pageEnded
  case pageOlder, pageNoNews, pageLookAgain, pageForgetSure, pageChanged, pageNothingTicked, pageRestored
  case pageNotAll, pageRescanned, pageShowAll, pageOutsidePhone, pageOutsideSystem, pageLinkHere

  // Why a call of the system failed (strerror(3)), within other sentences.
  case ioNoEntry, ioNoAccess, ioNotPermitted, ioIsDirectory, ioNoDirectory, ioNoSpace, ioQuota
  case ioReadOnly, ioFailed, ioTooManyFiles, ioLongName, ioLoop, ioExists, ioRefused, ioInvalid
  case ioBadDescriptor, ioNoMemory, ioAgain, ioCrossDevice, ioOtherFileSystem
}
