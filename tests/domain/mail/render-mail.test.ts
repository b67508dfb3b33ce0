import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { describe, expect, it, jest } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import { renderMail } from '#services/mail/render-mail'

describe('rendering a mail', () => {
  it('enters no storage that makes Node.js follow every later promise', async () => {
    const entered = jest.spyOn(AsyncLocalStorage.prototype, 'run')
    const { html } = await renderMail(
      {
        subject: 'Hello',
        topic: 'Test',
        preheader: 'Preview',
        blocks: [{ type: 'paragraph', text: 'Text' }],
      },
      brand,
    )
    expect(html).toMatch(/^<!DOCTYPE html [^>]*><html lang="en".*<\/html>$/s)
    expect(entered).not.toHaveBeenCalled()
  })
})

describe('a program that imports React', () => {
  it('loads its production build before all else', () => {
    for (const file of ['main.ts', 'sandbox/main.ts', 'mail/layout/render-document.ts'])
      expect(`${file} ${firstImportOf(file)}`).toMatch(
        / (?:#services|\.)\/foundation\/production-react/,
      )
  })
})

function firstImportOf(file: string): string {
  const source = readFileSync(`services/${file}`, 'utf8')
  return /^import .*?'(?<from>[^']*)'/m.exec(source)?.groups?.['from'] ?? 'imports nothing'
}
