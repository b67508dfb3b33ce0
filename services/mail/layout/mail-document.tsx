import { createElement } from 'react'
import type { Brand } from '#contracts/brand/brand'
import type { MailContent } from '../mail-content.ts'
import { Block } from './blocks.tsx'
import type { MailSender } from '../mail-sender.ts'
import { MailColors, usePaint } from './mail-brand.ts'
import { columnElement } from './outlook-head.ts'
import { darkStyle, paletteOf, type MailPalette } from './paint.ts'
import { SenderBand, SenderFoot } from './sender-parts.tsx'
import { Cell, Table } from './table.tsx'
import { type } from './type.ts'

/**
 * The whole document: a band with the brand, the blocks, and a foot with the support address. In a
 * mail of a merchant, band and foot are the merchant's.
 */
export function MailDocument({ content, brand, sender }: PartProps) {
  const palette = paletteOf(brand, sender)
  return (
    <MailColors value={palette}>
      <html lang="en" dir="ltr">
        <Head content={content} palette={palette} />
        <Body content={content} brand={brand} sender={sender} />
      </html>
    </MailColors>
  )
}

interface PartProps {
  readonly content: MailContent
  readonly brand: Brand
  /** Null: the mail is the product's own. */
  readonly sender: MailSender | null
}

const phoneStyle =
  '@media (max-width:480px){.side{padding-left:22px!important;padding-right:22px!important}' +
  '.figure{font-size:42px!important;line-height:50px!important}.outer{padding:0!important}}'

function Head({
  content,
  palette,
}: Pick<PartProps, 'content'> & { readonly palette: MailPalette }) {
  return (
    <head>
      <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="x-apple-disable-message-reformatting" />
      <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
      <meta name="color-scheme" content="light dark" />
      <meta name="supported-color-schemes" content="light dark" />
      <title>{content.subject}</title>
      <style>{`:root{color-scheme:light dark}${phoneStyle}${darkStyle(palette)}`}</style>
    </head>
  )
}

function Body({ content, brand, sender }: PartProps) {
  const ground = usePaint()({ ground: 'ground' })
  return (
    <body
      className={ground.className}
      style={{ ...ground.style, margin: 0, padding: 0, WebkitTextSizeAdjust: '100%' }}
    >
      <Preheader text={content.preheader} />
      <Table colors={{ ground: 'ground' }}>
        <tr>
          <Cell align="center" className="outer" style={{ padding: '40px 16px' }}>
            {/* Outlook ignores max-width: outlook-head.ts puts a table of 600 px around it. */}
            {createElement(
              columnElement,
              null,
              <Table colors={{ ground: 'surface' }} style={{ maxWidth: 600, textAlign: 'left' }}>
                {sender === null ? (
                  <Band topic={content.topic} brand={brand} />
                ) : (
                  <SenderBand topic={content.topic} sender={sender} />
                )}
                <tr>
                  <Cell className="side" style={{ padding: '36px 36px 16px' }}>
                    <Table>
                      {content.blocks.map((block, index) => (
                        <Block key={index} block={block} />
                      ))}
                    </Table>
                  </Cell>
                </tr>
                {sender === null ? (
                  <Foot note={content.note} brand={brand} />
                ) : (
                  <SenderFoot sender={sender} />
                )}
              </Table>,
            )}
          </Cell>
        </tr>
      </Table>
    </body>
  )
}

/** Invisible characters after the preheader keep the text of the mail out of the preview. */
const filler = '\u034f\u200c\u00a0'.repeat(50)

function Preheader({ text }: { readonly text: string }) {
  return (
    <div
      data-skip-in-text="true"
      style={{ display: 'none', overflow: 'hidden', maxHeight: 0, maxWidth: 0, opacity: 0 }}
    >
      {text}
      {filler}
    </div>
  )
}

function Band({ topic, brand }: { readonly topic: string; readonly brand: Brand }) {
  return (
    <tr data-skip-in-text="true">
      {/* In the dark, the band has the color of the surface, and only the rule separates them. */}
      <Cell
        className="side"
        colors={{ ground: 'deep', edge: 'rule' }}
        style={{ padding: '20px 36px', borderBottomWidth: 1, borderBottomStyle: 'solid' }}
      >
        <Table>
          <tr>
            <Dot />
            <Cell colors={{ text: 'onDeep' }} style={{ ...type('head', 600), paddingLeft: 10 }}>
              {brand.name}
            </Cell>
            <Cell
              align="right"
              colors={{ text: 'onDeep2' }}
              style={{ ...type('small'), paddingLeft: 16, whiteSpace: 'nowrap' }}
            >
              {topic}
            </Cell>
          </tr>
        </Table>
      </Cell>
    </tr>
  )
}

/** A cell, because Outlook gives an inline element no size. */
function Dot() {
  const size = { width: 9, height: 9 }
  const noText = { fontSize: 1, lineHeight: '1px' }
  return (
    <Cell width={9} style={noText}>
      <Table width={9}>
        <tr>
          <Cell
            {...size}
            colors={{ ground: 'accent' }}
            style={{ ...noText, ...size, borderRadius: 9 }}
          >
            {'\u00a0'}
          </Cell>
        </tr>
      </Table>
    </Cell>
  )
}

function Foot({ note, brand }: { readonly note: string | undefined; readonly brand: Brand }) {
  const link = usePaint()({ text: 'link' })
  return (
    <tr>
      <Cell
        className="side block"
        colors={{ text: 'ink2', ground: 'surface2' }}
        style={{ ...type('small'), padding: '20px 36px 28px' }}
      >
        {note !== undefined && <p style={{ margin: '0 0 12px' }}>{note}</p>}
        <p style={{ margin: '0 0 12px' }}>
          Questions? Write to{' '}
          <a href={`mailto:${brand.supportEmail}`} className={link.className} style={link.style}>
            {brand.supportEmail}
          </a>
          . We reply within 1-2 business{'\u00a0'}days.
        </p>
        <p style={{ margin: 0 }}>{[brand.name, ...brand.address].join(', ')}</p>
      </Cell>
    </tr>
  )
}
