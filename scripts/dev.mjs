import './check-installation.mjs'
import { spawn } from 'node:child_process'
import { root } from './build/source-files.mjs'

// Two servers: tsx restarts the services on a change, vite serves the web and hands /api on to them.
// The browser goes to vite's address, so that is the public one.
const environment = { PUBLIC_URL: 'http://localhost:5173', ...process.env }
const children = [
  ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'services/main.ts'],
  ['node_modules/vite/bin/vite.js', '--port', '5173', '--strictPort'],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: environment }))

// A terminal's Ctrl-C reaches the children by itself, and a second signal would cut their shutdown short.
let ending = false
process.on('SIGINT', () => (ending = true))
process.on('SIGTERM', endAll)
for (const child of children) {
  child.once('exit', (code) => {
    process.exitCode ||= code ?? 0
    endAll()
  })
}

function endAll() {
  if (ending) return
  ending = true
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  }
}
