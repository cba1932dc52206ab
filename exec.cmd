@rem "npm start" calls "exec": then signals reach the service, not a shell before it. cmd.exe has no exec.
@%*
