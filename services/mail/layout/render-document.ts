import '#services/foundation/production-react'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Brand } from '#contracts/brand/brand'
import type { MailContent } from '../mail-content.ts'
import type { MailSender } from '../mail-sender.ts'
import { MailDocument } from './mail-document.tsx'
import { withOutlookParts } from './outlook-head.ts'
import { textOf } from './plain-text.ts'

export function renderDocument(
  content: MailContent,
  brand: Brand,
  sender: MailSender | null,
): { readonly html: string; readonly text: string } {
  const html = documentOf(createElement(MailDocument, { content, brand, sender }))
  return { html: withOutlookParts(html), text: textOf(html) }
}

/**
 * Not `render` of react-email: it renders to a stream, for which React enters an AsyncLocalStorage.
 * From the first mail on, Node.js then follows every promise of the process, which takes a tenth of
 * its time.
 */
function documentOf(mail: ReactElement): string {
  return `${doctype}${renderToStaticMarkup(mail).replaceAll(preloadedImage, '')}`
}

/** Mail programs that know only XHTML look for it. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/** React asks browsers to load images early. A mail has no use for it. */
const preloadedImage = /<link rel="preload" as="image"[^>]*>/g
