"""The package with a real daemon. This process is an app, and an owner's program as well (`manages`)."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import random
import resource
import signal
import threading
import unittest
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import support
from daemon import LAKE, PHOTOS, Daemon, until
from albumd import (
    AccessLevel, Answer, Asset, AssetFilter, AuthorizationStatus, Changes, Connection, Decision, Guide,
    InvalidFileDescriptor, InvalidParameter, MediaItem, MediaType, NameTaken, NoAdjustment, NoAgent, NoSuchAsset,
    NoSuchResource, NotAuthorized, PermissionOutcome, PhotoAdjustment, PhotoLibrary, PhotoLibraryAgent,
    PhotoLibraryPermissionManager, PickerFilter, PickProgress, Prompt, PromptKind, ResourceType, SaveProgress, Sidecar,
    SmartAlbumKind, SortKey, UserRefused, aio,
)
from albumd.interfaces import authorization, library as wire, manager

NAMES = ("dawn.jpg", "dunes.jpg", "lake.jpg")


@contextlib.contextmanager
def agent(path: str, answer: Callable[[Prompt], Answer]) -> Iterator[list[Prompt]]:
    """An owner who answers so. What it was asked is in the list."""
    asked: list[Prompt] = []

    def answered(prompt: Prompt) -> Answer:
        asked.append(prompt)
        return answer(prompt)

    registered = PhotoLibraryAgent.open("Test", languages=["en"], path=path)

    def serve() -> None:
        with contextlib.suppress(ConnectionError):
            registered.serve(answered)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield asked
    finally:
        registered.hang_up()
        thread.join()
        registered.close()


def saying(decision: Decision, **more: object) -> Callable[[Prompt], Answer]:
    return lambda prompt: Answer(decision=decision, **more)  # type: ignore[arg-type]


class WithDaemon(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = Daemon(manifest="manages: true\n")
        for name in NAMES:
            self.daemon.add(PHOTOS / "Holiday" / name, f"Holiday/{name}")
        self.daemon.start().scanned(3)
        self.addCleanup(self.daemon.close)
        self.library = PhotoLibrary(self.daemon.socket, language="en", timeout=600)
        self.addCleanup(self.library.close)

    def allow(self) -> None:
        self.daemon.albumctl("allow", Daemon.APP)

    def follow(self, since: str | None = None) -> list[Changes]:  # type: ignore[type-arg]
        """What a subscription tells, as it comes."""
        told: list[Changes] = []  # type: ignore[type-arg]
        library = PhotoLibrary(self.daemon.socket)

        def read() -> None:
            for changes in library.asset_changes(since):
                told.append(changes)

        thread = threading.Thread(target=read)
        thread.start()

        def end() -> None:
            library.hang_up()
            thread.join()
            library.close()

        self.addCleanup(end)
        return told


class Hashes(unittest.TestCase):
    def test_assets_are_found_by_their_content(self) -> None:
        daemon = Daemon(as_app=False, configuration="contentHashes: true\n")
        for name in ("Holiday/a.jpg", "b.jpg"):
            daemon.add(LAKE, name)
        daemon.add(PHOTOS / "Holiday/dawn.jpg", "c.jpg")
        daemon.start().scanned(3)
        self.addCleanup(daemon.close)
        known = "sha256:" + hashlib.sha256(LAKE.read_bytes()).hexdigest()
        with Connection(daemon.socket, timeout=600) as connection:
            connection.call(manager.ActAsOwner())
            until(lambda: connection.call(wire.GetInfo()).unhashed == 0)
            found = connection.call(wire.FetchAssets(content_hashes=[known], sort=SortKey.FILENAME)).assets
        self.assertEqual([(asset.filename, asset.content_hash) for asset in found],
                         [("a.jpg", known), ("b.jpg", known)])


class HashesOfPlaces(WithDaemon):
    def test_who_may_not_know_where_pictures_were_taken_may_not_ask_by_hash(self) -> None:
        self.allow()
        self.assertEqual({asset.content_hash for asset in self.library.fetch_assets()}, {None})
        known = "sha256:" + hashlib.sha256(LAKE.read_bytes()).hexdigest()
        with self.assertRaises(InvalidParameter):
            self.library.fetch_assets(content_hashes=[known])


class Bursts(unittest.TestCase):
    def test_a_burst_is_known_by_the_names_of_its_photos_and_found(self) -> None:
        daemon = Daemon(as_app=False)
        names = ["00000IMG_00000_BURST20190817141236616.jpg", "00001IMG_00001_BURST20190817141236616_COVER.jpg"]
        for name in [*names, "dawn.jpg"]:
            daemon.add(PHOTOS / "Holiday/dawn.jpg", name)
        daemon.start().scanned(3)
        self.addCleanup(daemon.close)
        with Connection(daemon.socket, timeout=600) as connection:
            connection.call(manager.ActAsOwner())
            every = connection.call(wire.FetchAssets(sort=SortKey.FILENAME)).assets
            bursts = [(asset.burst_identifier, asset.represents_burst) for asset in every]
            self.assertEqual(bursts, [("BURST20190817141236616", None), ("BURST20190817141236616", True), (None, None)])
            found = connection.call(wire.FetchAssets(
                sort=SortKey.FILENAME, matching=AssetFilter(burst_identifier="BURST20190817141236616"))).assets
        self.assertEqual([asset.filename for asset in found], names)


class Asking(WithDaemon):
    def test_an_app_asks_and_sees(self) -> None:
        self.assertEqual(self.library.identity().app_id, Daemon.APP)
        with self.assertRaises(NoAgent):
            self.library.request_authorization()
        with self.assertRaises(NotAuthorized) as refused:
            self.library.fetch_assets()
        self.assertEqual(refused.exception.status, AuthorizationStatus.NOT_DETERMINED)
        with agent(self.daemon.socket, saying(Decision.ALLOW)) as asked:
            self.assertEqual(self.library.request_authorization().status, AuthorizationStatus.AUTHORIZED)
        self.assertEqual([(prompt.kind, prompt.usage_description) for prompt in asked],
                         [(PromptKind.AUTHORIZATION, "Reads.")])
        result = self.library.fetch_assets(sort=SortKey.FILENAME)
        self.assertEqual([asset.filename for asset in result], list(NAMES))
        without_lake = AssetFilter(none=[AssetFilter(any=[AssetFilter(name_contains="LAKE")])])
        self.assertEqual(self.library.fetch_assets(matching=without_lake).total, len(NAMES) - 1)
        smart = {album.smart: album.asset_count for album in self.library.fetch_albums(smart=True).albums}
        self.assertEqual((smart[SmartAlbumKind.RECENTS], smart[SmartAlbumKind.VIDEOS]), (len(NAMES), 0))
        self.assertEqual(self.library.fetch_assets(albums=["recents"]).total, len(NAMES))
        latest = self.library.fetch_assets(albums=["recentlyAdded"], sort=SortKey.ADDED, descending=True).all()
        times = [asset.added for asset in latest if asset.added]
        self.assertEqual(len(times), len(NAMES))
        self.assertEqual(times, sorted(times, reverse=True))
        for asset in result:
            with self.library.open(asset) as photo:
                self.assertEqual(photo.read(), (PHOTOS / "Holiday" / asset.filename).read_bytes())
        with self.assertRaises(NoSuchAsset):
            self.library.open("nothing")

    def test_a_refusal_has_a_guide(self) -> None:
        shown: list[Guide] = []
        manager = PhotoLibraryPermissionManager(self.library, AccessLevel.READ_WRITE, title="Of its own")
        with agent(self.daemon.socket, saying(Decision.DENY)):
            outcome: PermissionOutcome[int] = manager.request_permission_and_execute(
                lambda: 1, on_denied=shown.append)
        self.assertEqual((outcome.kind, outcome.value), ("denied", None))
        self.assertEqual([guide.title for guide in shown], ["Of its own"])
        assert outcome.guide is not None
        self.assertIn(Daemon.APP, outcome.guide.settings_command or "")
        # It is not asked again.
        self.assertEqual(manager.request_permission_and_execute(lambda: 1).kind, "denied")

    def test_the_manager_saves(self) -> None:
        manager = PhotoLibraryPermissionManager(self.library)
        self.assertEqual(manager.save_image(LAKE).kind, "noAgent")
        self.assertEqual(manager.save_image(LAKE, explain=lambda: False).kind, "notNow")
        with agent(self.daemon.socket, saying(Decision.ALLOW)):
            self.assertEqual(manager.save_image(LAKE, filename="saved").kind, "done")
        until((self.daemon.photos / "Saved/saved.jpg").exists)
        progress: list[SaveProgress] = []
        outcome = manager.request_and_save([LAKE, b"no photo"], progress=progress.append)
        assert outcome.value is not None
        self.assertEqual([type(result).__name__ for result in outcome.value.results], ["str", "NotMedia"])
        self.assertIsNotNone(outcome.value.guide)
        self.assertEqual(progress[-1].completed, 2)

    def test_picking(self) -> None:
        with PhotoLibrary(self.daemon.socket, as_owner=True) as owner:
            ids = [asset.id for asset in owner.fetch_assets(sort=SortKey.FILENAME, descending=True)]
        with agent(self.daemon.socket, lambda prompt: Answer(decision=Decision.ALLOW, assets=ids)) as asked:
            with self.library.pick(media_types=[MediaType.IMAGE]) as picked:
                self.assertEqual([asset.filename for asset in picked], list(reversed(NAMES)))
                for asset in picked:
                    assert asset.file is not None
                    self.assertEqual(asset.file.read(), (PHOTOS / "Holiday" / asset.filename).read_bytes())
        self.assertEqual([prompt.kind for prompt in asked], [PromptKind.PICKER])
        self.assertEqual(self.library.authorization_status(AccessLevel.READ_WRITE), "notDetermined")

    def test_what_was_picked_is_loaded(self) -> None:
        with PhotoLibrary(self.daemon.socket, as_owner=True) as owner:
            ids = [asset.id for asset in owner.fetch_assets(sort=SortKey.FILENAME)]
        folder = self.daemon.directory / "loaded"
        folder.mkdir()
        (folder / NAMES[1]).write_bytes(b"mine")
        told: list[PickProgress] = []
        with agent(self.daemon.socket, lambda prompt: Answer(decision=Decision.ALLOW, assets=ids)):
            with self.library.pick(media_types=[MediaType.IMAGE]) as picked:
                originals = [(PHOTOS / "Holiday" / asset.filename).read_bytes() for asset in picked]
                self.assertEqual([one.data for one in self.library.load_picked(picked)], originals)
                # One that cannot be read is an error of its own, and the others come.
                file = picked.assets[0].file
                assert file is not None
                unreadable = os.open(folder, os.O_RDONLY)
                os.dup2(unreadable, file.fileno())
                os.close(unreadable)
                loaded = list(self.library.load_picked(picked, folder, progress=told.append))
                gone = picked.assets[2].file
                assert gone is not None
                gone.close()
                picked.assets[2].file = None
                refused = list(self.library.load_picked(picked))
        self.assertIsNotNone(loaded[0].error)
        self.assertIsInstance(loaded[0].error and loaded[0].error.reason, OSError)
        stem, dot, extension = NAMES[1].rpartition(".")
        names = [f"{stem} (2){dot}{extension}", NAMES[2]]
        self.assertEqual([[path.name for path in one.files] for one in loaded], [[], names[:1], names[1:]])
        self.assertEqual([(folder / name).read_bytes() for name in names], originals[1:])
        self.assertEqual((folder / NAMES[1]).read_bytes(), b"mine", "what is there stays")
        self.assertEqual(sorted(path.name for path in folder.iterdir()), sorted([NAMES[1], *names]))
        self.assertEqual(
            (folder / NAMES[2]).stat().st_mtime_ns, (self.daemon.photos / "Holiday" / NAMES[2]).stat().st_mtime_ns)
        self.assertEqual([progress.completed for progress in told], sorted(progress.completed for progress in told))
        self.assertEqual((told[-1].completed, told[-1].fraction_completed), (told[-1].total, 1.0))
        self.assertEqual({progress.index for progress in told}, {0, 1, 2})
        self.assertEqual([one.error.reason if one.error else None for one in refused][2], None)
        self.assertIsNotNone(refused[2].error)
        self.assertEqual(refused[1].data, originals[1])

    def test_loading_that_is_given_up_leaves_nothing(self) -> None:
        with PhotoLibrary(self.daemon.socket, as_owner=True) as owner:
            ids = [asset.id for asset in owner.fetch_assets()]
        folder = self.daemon.directory / "loaded"
        folder.mkdir()

        def end(_: PickProgress) -> None:
            raise KeyboardInterrupt

        with agent(self.daemon.socket, lambda prompt: Answer(decision=Decision.ALLOW, assets=ids)):
            with self.library.pick() as picked:
                before = len(support.open_files())
                with self.assertRaises(KeyboardInterrupt):
                    list(self.library.load_picked(picked, folder, progress=end))
                self.assertEqual(list(folder.iterdir()), [])
                self.assertEqual(len(support.open_files()), before)

    def test_picking_what_is_wished_for(self) -> None:
        self.allow()
        ids = [asset.id for asset in self.library.fetch_assets(sort=SortKey.FILENAME)]
        stills = PickerFilter(none=(PickerFilter(media_types=(MediaType.VIDEO,)),))
        with agent(self.daemon.socket, lambda prompt: Answer(decision=Decision.ALLOW, assets=prompt.selection)) as asked:
            with self.library.pick(filter=stills, preselected=[ids[1], "no-such-id", ids[0]], minimum=2) as picked:
                self.assertEqual([asset.filename for asset in picked], [NAMES[1], NAMES[0]])
        self.assertEqual([(prompt.filter, prompt.minimum) for prompt in asked], [(stills, 2)])
        with self.assertRaises(InvalidParameter):
            self.library.pick(minimum=2, selection_limit=1)

    def test_limited(self) -> None:
        with PhotoLibrary(self.daemon.socket, as_owner=True) as owner:
            ids = [asset.id for asset in owner.fetch_assets()]
        with agent(self.daemon.socket, saying(Decision.LIMITED, assets=ids[:1])):
            self.assertEqual(self.library.request_authorization().status, AuthorizationStatus.LIMITED)
        first = self.library.fetch_assets()
        self.assertEqual(first.total, 1)
        told = self.follow(first.token)
        until(lambda: len(told) >= 1)
        with agent(self.daemon.socket, saying(Decision.LIMITED, assets=ids[:2])) as asked:
            self.assertEqual(len(self.library.present_limited_library_picker()), 1)
        self.assertEqual([prompt.kind for prompt in asked], [PromptKind.LIMITED_PICKER])
        # Besides, that it was described may be told.
        until(lambda: sum(len(changes.inserted) for changes in told) == 1)
        self.assertFalse(told[0].inserted)
        self.assertEqual(self.library.fetch_assets().total, 2)

    def test_deleting_asks_the_owner(self) -> None:
        self.allow()
        asset = self.library.fetch_assets().first_page[0]
        with agent(self.daemon.socket, saying(Decision.DENY)), self.assertRaises(UserRefused):
            self.library.delete([asset.id])
        with agent(self.daemon.socket, saying(Decision.ALLOW)) as asked:
            self.assertEqual(self.library.delete([asset.id]), [asset.id])
        self.assertEqual([prompt.assets for prompt in asked], [(asset.id,)])

    def test_descriptors_do_not_leak(self) -> None:
        self.allow()
        assets = self.library.fetch_assets().all()
        before = len(support.open_files())
        for _ in range(500):
            self.library.open(assets[0]).close()
            with self.assertRaises(NoSuchAsset):
                self.library.open("nothing")
        self.library.save([LAKE] * 130)
        self.assertEqual(len(support.open_files()), before)


class Owners(WithDaemon):
    def test_picking_more_than_a_message_carries(self) -> None:
        for number in range(300):
            self.daemon.add(LAKE, f"Many/{number:03}.jpg")
        with PhotoLibrary(self.daemon.socket, as_owner=True) as owner:
            until(lambda: owner.info().asset_count == 303)
            assets = owner.fetch_assets().all()
        random.Random(5).shuffle(assets)
        before = len(support.open_files())
        ids = [asset.id for asset in assets]
        with agent(self.daemon.socket, lambda prompt: Answer(decision=Decision.ALLOW, assets=ids)):
            with self.library.pick() as picked:
                self.assertEqual([asset.filename for asset in picked], [asset.filename for asset in assets])
                self.assertTrue(all(asset.file is not None for asset in picked))
        self.assertEqual(len(support.open_files()), before)

    def test_what_an_owner_asks_is_read(self) -> None:
        self.allow()
        self.library.fetch_assets()
        with Connection(self.daemon.socket, timeout=600) as connection:
            self.assertGreater(connection.call(manager.GetStatistics()).started.year, 2020)
            apps = [app for reply in connection.stream(manager.ListApps()) for app in reply.apps]
            grant = next(grant for app in apps if app.id == Daemon.APP for grant in app.grants
                         if grant.status == "authorized")
            self.assertEqual(grant.access_level, AccessLevel.READ_WRITE)
            self.assertIsNotNone(grant.decided)
            self.assertTrue(connection.call(manager.Check(language="en")).findings)
            self.assertEqual(connection.call(manager.ListPolicies()).policies, ())
            entries = [entry for reply in connection.stream(manager.ListAccessLog()) for entry in reply.entries]
            self.assertIn((Daemon.APP, manager.AccessKind.FETCH), [(entry.app_id, entry.kind) for entry in entries])
            connection.call(manager.SetSelection(
                app_id=Daemon.APP, assets=[], albums=[], operation=manager.SelectionOperation.REPLACE))
            self.assertEqual(connection.call(manager.GetSelection(app_id=Daemon.APP)).assets, ())
            with self.assertRaises(manager.NoSuchApp) as refused:
                connection.call(manager.GetSelection(app_id="org.example.Nobody"))
            self.assertEqual(refused.exception.id, "org.example.Nobody")

    def test_what_is_wrong_is_said_by_the_daemon(self) -> None:
        with Connection(self.daemon.socket, timeout=600) as connection:
            with self.assertRaises(InvalidParameter) as refused:
                connection.call(wire.FetchAssets(sort=SortKey("loudness")))
            self.assertEqual(refused.exception.parameter, "sort")
            with self.assertRaises(InvalidParameter):
                connection.call(wire.GetInfo(unknown_fields={"colour": "blue"}))
            self.assertEqual(connection.call(authorization.WhoAmI()).identity.app_id, Daemon.APP)


    def test_an_error_says_what_is_wrong_in_the_language_that_was_named(self) -> None:
        def refused(language: str) -> NoSuchAsset:
            library = PhotoLibrary(self.daemon.socket, language=language, as_owner=True, timeout=600)
            with library, self.assertRaises(NoSuchAsset) as error:
                library.open("nothing")
            return error.exception

        chinese = refused("zh-Hans")
        self.assertEqual((chinese.id, chinese.message), ("nothing", "没有你可以看到的照片 nothing。"))
        self.assertEqual(
            str(chinese), "io.albumd.Library.NoSuchAsset: 没有你可以看到的照片 nothing。 (id 'nothing')")
        self.assertEqual(refused("en").message, "There is no asset nothing that you may see.")
        with Connection(self.daemon.socket, timeout=600) as connection:
            connection.call(manager.ActAsOwner())
            with self.assertRaises(NoSuchAsset) as error:
                connection.call(wire.OpenAsset(id="nothing"))
            self.assertIsNone(error.exception.message)
            self.assertEqual(error.exception.parameters, {"id": "nothing"})


class Albums(WithDaemon):
    def test_albums_and_assets_change(self) -> None:
        self.allow()
        album, other = self.library.create_album("Trip"), self.library.create_album("Other")
        self.assertEqual(self.library.rename_album(album.id, "Journey").title, "Journey")
        self.assertEqual(self.library.move_album(album.id, parent=other.id).parent, other.id)
        self.assertIsNone(self.library.move_album(album.id).parent)
        asset = self.library.fetch_assets().all()[0]
        self.library.move_to_album([asset.id], album.id)
        renamed = self.library.rename(asset.id, "Sea")
        self.assertEqual((renamed.id, list(renamed.albums)), (asset.id, [album.id]))
        self.assertTrue(renamed.filename.startswith("Sea."))
        self.assertEqual(self.library.set_key_asset(album.id, asset.id).key_asset, asset.id)
        self.assertIsNone(self.library.set_key_asset(album.id, None).key_asset)
        with self.assertRaises(NoSuchAsset):
            self.library.set_key_asset(other.id, asset.id)
        self.library.move_to_album([asset.id], None)
        self.assertEqual(list((self.library.asset(asset.id) or asset).albums), [])
        ids = [asset.id for asset in self.library.fetch_assets().all()]
        self.library.move_to_album(ids, album.id)
        self.library.move_in_album(album.id, ids[::-1])
        self.library.move_in_album(album.id, [ids[0]], before=ids[-1])
        found = self.library.fetch_assets(albums=[album.id], sort=SortKey.CUSTOM, page=1).all()
        self.assertEqual([asset.id for asset in found], [ids[0], *ids[:0:-1]])
        with self.assertRaises(NoSuchAsset):
            self.library.move_in_album(other.id, ids)
        with self.assertRaises(NameTaken):
            self.library.rename_album(album.id, "Other")
        self.assertEqual(self.library.delete_album(other.id), [])
        self.assertNotIn("Other", [album.title for album in self.library.fetch_albums().albums])

    def test_favourites_and_hidden_assets(self) -> None:
        self.allow()
        first, second = self.library.fetch_assets().all()[:2]
        self.library.set_favorite([first.id])
        self.assertEqual([asset.id for asset in self.library.fetch_assets(favorite=True)], [first.id])
        self.assertIn(second.id, [asset.id for asset in self.library.fetch_assets(favorite=False)])
        changes = self.library.asset_changes(self.library.current_change_token(), include_hidden=True)
        self.library.set_hidden([first.id])
        # What is found out about photos meanwhile is told as well.
        told = next(ids for change in changes
                    if (ids := [one.id for one in change.changed if one.asset and one.asset.is_hidden]))
        self.assertEqual(told, [first.id])
        self.assertNotIn(first.id, [asset.id for asset in self.library.fetch_assets()])
        hidden = [asset.id for asset in self.library.fetch_assets(include_hidden=True) if asset.is_hidden]
        self.assertEqual(hidden, [first.id])
        self.library.set_hidden([first.id], False)
        self.library.set_favorite([first.id], False)
        self.assertFalse(self.library.fetch_assets(favorite=True).all())

    def test_a_fetch_begins_in_the_middle(self) -> None:
        self.allow()
        for number, name in enumerate(NAMES):
            os.utime(self.daemon.photos / "Holiday" / name, (1_100_000_000 + number * 3600,) * 2)
        whens = [datetime.fromtimestamp(1_100_000_000 + number * 3600, UTC) for number in range(len(NAMES))]
        until(lambda: [asset.created for asset in self.library.fetch_assets()] == whens)

        def names(**more: Any) -> list[str]:
            return [asset.filename for asset in self.library.fetch_assets(page=1, **more)]

        self.assertEqual(names(taken_in=whens[1]), ["dunes.jpg", "lake.jpg"])
        self.assertEqual(names(taken_in=whens[1], descending=True), ["dunes.jpg", "dawn.jpg"])
        self.assertEqual(names(offset=1), ["dunes.jpg", "lake.jpg"])
        self.assertEqual(names(offset=1, limit=1), ["dunes.jpg"])
        self.assertEqual((names(offset=3), names(offset=4)), ([], []))
        totals = [self.library.fetch_assets(offset=offset).total for offset in range(5)]
        self.assertEqual(totals, [3, 2, 1, 0, 0])
        self.assertEqual(self.library.fetch_assets(taken_in=whens[1]).total, len(NAMES))

    def test_each_of_several_sidecars_is_opened(self) -> None:
        folder = self.daemon.photos / "Holiday"
        beside = {"aae": b"<adjustment/>", "jpg.xmp": b"<packet/>"}
        for extension, content in beside.items():
            (folder / f"lake.{extension}").write_bytes(content)
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            def lake() -> Asset:
                return library.fetch_assets(name_contains="lake").first_page[0]

            until(lambda: lake().resources.count(ResourceType.SIDECAR) == 2)
            for number, (extension, content) in enumerate(beside.items()):
                file, reply = library.open_resource(lake(), ResourceType.SIDECAR, number=number)
                with file:
                    self.assertEqual((reply.sidecar_extension, file.read()), (extension, content))
            with library.open(lake(), ResourceType.SIDECAR) as file:
                self.assertEqual(file.read(), beside["aae"])
            with self.assertRaises(NoSuchResource):
                library.open(lake(), ResourceType.SIDECAR, number=2)

    def test_sidecars(self) -> None:
        beside = {"aae": b"<adjustment/>", "jpg.xmp": b"<packet/>"}
        # More files than one message carries, and one item of which none could carry all.
        items = [
            MediaItem(source=LAKE, filename=f"{number}.jpg", sidecars=[
                Sidecar(content, extension) for extension, content in beside.items()])
            for number in range(100)]
        items.append(MediaItem(source=LAKE, sidecars=[Sidecar(b"", str(number)) for number in range(252)]))
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            saved = library.save(items)
            self.assertEqual(len(saved.identifiers), 100)
            self.assertIsInstance(saved.results[-1], InvalidFileDescriptor)
            asset = library.fetch_assets(ids=saved.identifiers[-1:]).first_page[0]
            self.assertEqual((asset.filename, asset.resources.count(ResourceType.SIDECAR)), ("99.jpg", 2))
            for number, extension in enumerate(beside):
                file, reply = library.open_resource(asset, ResourceType.SIDECAR, number=number)
                with file:
                    self.assertEqual((reply.sidecar_extension, file.read()), (extension, beside[extension]))
            wrong = MediaItem(source=LAKE, filename="a.jpg", sidecars=[Sidecar(b"", "png.xmp")])
            with self.assertRaises(InvalidParameter):
                library.save([wrong])

    def test_edits(self) -> None:
        done = PhotoAdjustment("org.example.Editor", "1.0", bytes(range(256)))
        with PhotoLibrary(self.daemon.socket, as_owner=True) as library:
            asset = library.fetch_assets().first_page[0]
            with library.open(asset) as file:
                before = file.read()
            with self.assertRaises(NoAdjustment):
                library.revert(asset)
            edited = library.replace(asset, before + b"edited", adjustment=done)
            self.assertEqual((edited.id, edited.has_adjustment), (asset.id, True))
            self.assertEqual(library.adjustment(asset), done)
            with library.open(asset, ResourceType.ORIGINAL) as file:
                self.assertEqual(file.read(), before)
            reverted = library.revert(edited)
            self.assertEqual((reverted.id, reverted.has_adjustment), (asset.id, None))
            with self.assertRaises(NoAdjustment):
                library.adjustment(asset)

    def test_albums_and_dates(self) -> None:
        self.allow()
        album = self.library.create_album("Trip")
        told = self.library.fetch_albums().albums
        self.assertEqual(sorted(album.title for album in told), ["Holiday", "Trip"])
        assets = self.library.fetch_assets().all()
        self.library.add_to_album([assets[0].id], album.id)
        self.assertEqual([asset.id for asset in self.library.fetch_assets(albums=[album.id])], [assets[0].id])
        self.library.remove_from_album([assets[0].id], album.id)
        self.assertEqual(self.library.fetch_assets(albums=[album.id]).total, 0)
        item = MediaItem(source=LAKE, filename="old.jpg", created=assets[0].created.replace(year=2008),
                         modified=assets[0].created.replace(year=2009))
        saved = self.library.asset(self.library.save([item], album=album.id).identifiers[0])
        assert saved is not None
        self.assertEqual((saved.created.year, saved.modified.year), (2008, 2009))


class Following(WithDaemon):
    @staticmethod
    def noted(told: list[Changes]) -> list[Changes]:  # type: ignore[type-arg]
        """Without what photos say of themselves, which is told whenever it was read."""
        return [changes for changes in told if changes.inserted or not changes.has_incremental_changes]

    def test_a_subscription_goes_on_over_a_kill(self) -> None:
        self.allow()
        told = self.follow(self.library.fetch_assets().token)
        until(lambda: len(told) >= 1)
        expected = []
        for round in range(3):
            self.daemon.add(LAKE, f"before-{round}.jpg")
            expected.append(f"before-{round}.jpg")
            until(lambda: sum(len(changes.inserted) for changes in told) == len(expected))
            self.daemon.kill(signal.SIGKILL)
            self.daemon.add(LAKE, f"meanwhile-{round}.jpg")
            expected.append(f"meanwhile-{round}.jpg")
            self.daemon.start()
            until(lambda: sum(len(changes.inserted) for changes in told) == len(expected))
        self.assertEqual([asset.filename for changes in told for asset in changes.inserted], expected)
        self.assertTrue(all(changes.has_incremental_changes for changes in told))

    def test_a_token_of_nobodys_is_told_once_and_it_goes_on(self) -> None:
        self.allow()
        told = self.follow("expired")
        until(lambda: len(self.noted(told)) == 1)
        self.assertFalse(self.noted(told)[0].has_incremental_changes)
        self.daemon.add(LAKE, "new.jpg")
        until(lambda: len(self.noted(told)) == 2)
        self.assertEqual([asset.filename for asset in self.noted(told)[1].inserted], ["new.jpg"])

    def test_access_is_told(self) -> None:
        told = self.follow()
        self.allow()
        until(lambda: len(self.noted(told)) == 1)
        self.assertEqual((self.noted(told)[0].has_incremental_changes, self.noted(told)[0].authorization_status), (False, "authorized"))
        self.daemon.albumctl("deny", Daemon.APP)
        until(lambda: len(self.noted(told)) == 2)
        self.assertEqual((self.noted(told)[1].has_incremental_changes, self.noted(told)[1].authorization_status), (False, "denied"))
        self.daemon.add(LAKE, "hidden.jpg")
        self.allow()
        until(lambda: len(self.noted(told)) == 3)
        self.assertEqual((self.noted(told)[2].inserted, self.noted(told)[2].authorization_status), ((), "authorized"))

    def test_statuses(self) -> None:
        seen = []
        library = PhotoLibrary(self.daemon.socket)

        def read() -> None:
            for reply in library.authorization_statuses():
                seen.append((reply.access_level, reply.status))

        thread = threading.Thread(target=read)
        thread.start()
        until(lambda: len(seen) == 2)
        self.allow()
        until(lambda: ("readWrite", "authorized") in seen)
        library.hang_up()
        thread.join()
        library.close()


class Many(unittest.TestCase):
    def test_fifty_thousand_page_by_page(self) -> None:
        with tempfile_daemon() as daemon:
            daemon.scanned(50_000)
            with PhotoLibrary(daemon.socket, as_owner=True) as library:
                result = library.fetch_assets(sort=SortKey.FILENAME)
                self.assertEqual(result.total, 50_000)
                next(iter(result))
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                names = 0
                last = ""
                for asset in result:
                    self.assertLess(last, asset.filename)
                    last = asset.filename
                    names += 1
                self.assertEqual(names, 50_000)
                # The library's text alone is 15 MB.
                self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 8_000)
                self.assertEqual(len(library.fetch_assets(limit=2500, page=1000).all()), 2500)


@contextlib.contextmanager
def tempfile_daemon() -> Iterator[Daemon]:
    daemon = Daemon(as_app=False)
    for number in range(50_000):
        path = daemon.photos / f"{number // 1000:02}"
        path.mkdir(exist_ok=True)
        os.close(os.open(path / f"IMG_{number:06}.jpg", os.O_CREAT | os.O_WRONLY))
    with daemon:
        yield daemon


class LoadingInAsyncio(unittest.IsolatedAsyncioTestCase):
    async def test_a_task_that_is_cancelled_leaves_nothing(self) -> None:
        daemon = Daemon(manifest="manages: true\n")
        daemon.add(LAKE, "lake.jpg")
        with daemon.scanned_at_start(1):
            with PhotoLibrary(daemon.socket, as_owner=True) as owner:
                ids = [asset.id for asset in owner.fetch_assets()]
            folder = daemon.directory / "loaded"
            folder.mkdir()
            with agent(daemon.socket, lambda prompt: Answer(decision=Decision.ALLOW, assets=ids)):
                async with aio.PhotoLibrary(daemon.socket) as library:
                    with await library.pick() as picked:
                        self.assertEqual([one.data async for one in library.load_picked(picked)], [LAKE.read_bytes()])

                        async def load() -> None:
                            task = asyncio.current_task()
                            assert task is not None

                            def cancel(_: PickProgress) -> None:
                                task.cancel()

                            async for _ in library.load_picked(picked, folder, progress=cancel):
                                pass

                        with self.assertRaises(asyncio.CancelledError):
                            await asyncio.create_task(load())
                        self.assertEqual(list(folder.iterdir()), [])


class InAsyncio(unittest.IsolatedAsyncioTestCase):
    async def test_the_same_in_asyncio(self) -> None:
        daemon = Daemon(manifest="manages: true\n")
        for name in NAMES:
            daemon.add(PHOTOS / "Holiday" / name, f"Holiday/{name}")
        daemon.start().scanned(3)
        self.addCleanup(daemon.close)

        async def answer(prompt: Prompt) -> Answer:
            return Answer(decision=Decision.ALLOW)

        import asyncio

        async with aio.PhotoLibrary(daemon.socket) as library:
            async with await aio.PhotoLibraryAgent.open("Test", path=daemon.socket) as owner:
                serving = asyncio.create_task(owner.serve(answer))
                self.assertEqual((await library.request_authorization()).status, "authorized")
                serving.cancel()
            result = await library.fetch_assets(sort=SortKey.FILENAME)
            self.assertEqual([asset.filename async for asset in result], list(NAMES))
            changes = aiter(library.asset_changes(result.token))
            await anext(changes)

            async def inserted() -> list[Asset]:
                # What is found out about photos meanwhile is told as well.
                async for change in changes:
                    if change.inserted:
                        return list(change.inserted)
                raise AssertionError("it has ended")

            saved = await library.save([LAKE])
            self.assertEqual([asset.id for asset in await inserted()], saved.identifiers)
            daemon.kill(signal.SIGKILL)
            waiting = asyncio.ensure_future(inserted())
            await asyncio.sleep(0.2)
            daemon.add(LAKE, "new.jpg")
            daemon.start()
            self.assertEqual([asset.filename for asset in await waiting], ["new.jpg"])
            self.assertEqual((await library.info()).asset_count, 5)


if __name__ == "__main__":
    unittest.main()
