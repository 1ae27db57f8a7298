cd /tmp/h/cli; . scripts/daemon.sh; start_daemon $PWD/.build/debug /tmp/cliw/lib2; echo $daemon > /tmp/cliw/daemon2.pid
