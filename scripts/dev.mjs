import './check-installation.mjs'
import { spawn } from 'node:child_process'
import { root } from './build/source-files.mjs'

// Two servers: tsx restarts the services on a change; vite serves the web and forwards /api to the
// services. The browser uses vite's address, so PUBLIC_URL is vite's address.
const environment = { PUBLIC_URL: 'http://localhost:5173', ...process.env }
const children = [
  ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'services/main.ts'],
  ['node_modules/vite/bin/vite.js', '--port', '5173', '--strictPort'],
].map((args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: environment }))

// The terminal sends Ctrl-C to the children too. A second signal would end them before their
// shutdown is complete.
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
