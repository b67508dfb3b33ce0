import { readFileSync } from 'node:fs'

/** Problems of files that are used without the repository. */
export function problemsOfFilesForOthers(): readonly string[] {
  return [...problemsOfVerifier(), ...problemsOfImage()]
}

/** An auditor reads the script and runs it without the product. */
function problemsOfVerifier(): readonly string[] {
  const file = 'scripts/verify-audit-room.mjs'
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(/^import [^']*'(.*)'$/gm)].map(([, name = '']) => name)
  const mayNot = /\bimport\s*\(|\brequire\b|node:(child_process|https?|module|net|vm)\b/.exec(text)
  return [
    ...(imported.length > 0 ? [] : [`${file} imports nothing: correct the pattern.`]),
    ...imported
      .filter((name) => !name.startsWith('node:'))
      .map((name) => `${file} imports ${name}, but may import only modules of Node.`),
    ...(mayNot === null ? [] : [`${file} uses ${mayNot[0]}, which it may not.`]),
    ...(text.split('\n').length <= 500 ? [] : [`${file} has 500 lines or more.`]),
  ]
}

/** The image has only the files that .dockerignore lists, and no Git data. */
function problemsOfImage(): readonly string[] {
  const [first, ...others] = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return [
    ...(first === '*' ? [] : ['.dockerignore does not begin with *.']),
    ...others
      .filter((line) => !line.startsWith('!') || line.includes('.git'))
      .map((line) => `.dockerignore has ${line}: it lists what the image has, without Git's data.`),
  ]
}
