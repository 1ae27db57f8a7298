# shellcheck shell=bash
# Sourced, in the repository's directory: an albumd of its own, on a library of its own, for a demonstration, a test or a measurement.

# What is looked for in answers is English, whatever the person speaks who runs this.
unset LC_ALL LC_MESSAGES LANGUAGE
export LANG=C.UTF-8

# start_daemon BIN DIRECTORY: serves DIRECTORY/photos at DIRECTORY/io.albumd, owned by the current user.
# Sets `daemon` to its process id and ALBUMD_SOCKET for the clients. What it logs is in DIRECTORY/log.
start_daemon() {
  local bin=$1 directory=$2
  mkdir -p "$directory"/{photos,state,apps.d,policies.d}
  cat > "$directory/albumd.yaml" << YAML
roots:
  - path: $directory/photos
owners: {users: [$(id -un)]}
state: $directory/state
contentHashes: false
YAML
  sed "s,/usr/bin/,$bin/," Config/apps.d/albumctl.yaml > "$directory/apps.d/albumctl.yaml"
  export ALBUMD_SOCKET=$directory/io.albumd
  # NOTIFY_SOCKET and LISTEN_FDS, if any, are somebody else's.
  env -u NOTIFY_SOCKET -u LISTEN_FDS -u LISTEN_PID \
    "$bin/albumd" --config "$directory/albumd.yaml" --socket "$ALBUMD_SOCKET" > "$directory/log" 2>&1 &
  daemon=$!
  local deadline=$((SECONDS + 60))
  until [[ -S $ALBUMD_SOCKET ]]; do
    if ! kill -0 "$daemon" 2> /dev/null || [[ $SECONDS -ge $deadline ]]; then
      echo "albumd did not start:" >&2
      cat "$directory/log" >&2
      return 1
    fi
    sleep 0.02
  done
}

# stop_daemon: SIGTERM; succeeds when the daemon ended with status 0.
stop_daemon() {
  kill "$daemon"
  wait "$daemon"
}
