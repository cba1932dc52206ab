@rem "npm start" calls "exec", so that signals reach the service and not a shell in between. cmd.exe has no exec.
@%*
