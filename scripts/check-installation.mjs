import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Every script that npm runs imports this file first. It ends the process with one sentence if
 * Node.js is too old or `npm ci` has not run. The file uses no new syntax, because an old Node.js
 * cannot parse it. It uses no packages, because they may be missing.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const problem = oldNode() || missingPackages()
if (problem) {
  process.stderr.write(problem + '\n')
  process.exit(1)
}

function oldNode() {
  const needed = manifest.engines.node.replace('>=', '')
  if (!isOlder(process.versions.node, needed)) return null
  return (
    'This is Node.js ' +
    process.versions.node +
    ', and the product needs ' +
    needed +
    ' or newer: install it, run npm ci and start again.'
  )
}

function isOlder(version, needed) {
  const parts = version.split('.').map(Number)
  const difference = needed
    .split('.')
    .map((part, index) => parts[index] - Number(part))
    .find((each) => each !== 0)
  return difference < 0
}

/**
 * Checks the names in package.json, so it also finds a package that an update of the checkout
 * added.
 */
function missingPackages() {
  const missing = Object.keys(manifest.dependencies).filter(
    (name) => !existsSync(join(root, 'node_modules', name, 'package.json')),
  )
  if (missing.length === 0) return null
  const others = missing.length > 1 ? ' and ' + (missing.length - 1) + ' more' : ''
  return 'npm packages are missing (' + missing[0] + others + '): run npm ci and start again.'
}
