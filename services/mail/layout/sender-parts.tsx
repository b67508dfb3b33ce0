import type { MailSender } from '../mail-sender.ts'
import { usePaint } from './mail-brand.ts'
import { Cell, Table } from './table.tsx'
import { type } from './type.ts'

/* Band and foot of a mail in a merchant's name. The merchant's color is the edge at the top. */

/** In pixels of the mail. The image has more, for displays with a high resolution. */
const logoBox = { width: 150, height: 50 }

export function SenderBand({
  topic,
  sender,
}: {
  readonly topic: string
  readonly sender: MailSender
}) {
  return (
    <>
      <tr data-skip-in-text="true">
        <Cell
          height={4}
          colors={{ ground: 'accent' }}
          style={{ fontSize: 1, lineHeight: '4px', height: 4 }}
        >
          {'\u00a0'}
        </Cell>
      </tr>
      <tr data-skip-in-text="true">
        <Cell
          className="side"
          colors={{ ground: 'surface', edge: 'rule' }}
          style={{ padding: '20px 36px', borderBottomWidth: 1, borderBottomStyle: 'solid' }}
        >
          <Table>
            <tr>
              {sender.logo !== null && <Logo logo={sender.logo} />}
              <Cell colors={{ text: 'ink' }} style={type('head', 600)}>
                {sender.name}
              </Cell>
              <Cell
                align="right"
                colors={{ text: 'ink2' }}
                style={{ ...type('small'), paddingLeft: 16, whiteSpace: 'nowrap' }}
              >
                {topic}
              </Cell>
            </tr>
          </Table>
        </Cell>
      </tr>
    </>
  )
}

/**
 * On white also in the dark, because a logo is drawn for paper. The name beside it is text, so the
 * image needs no words.
 */
function Logo({
  logo: { url, width, height },
}: {
  readonly logo: NonNullable<MailSender['logo']>
}) {
  const scale = Math.min(1, logoBox.width / width, logoBox.height / height)
  const shown = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  return (
    <Cell width={shown.width + 20} style={{ lineHeight: '0' }}>
      <img
        src={url}
        {...shown}
        alt=""
        style={{ display: 'block', border: 0, backgroundColor: '#FFFFFF', padding: 4 }}
      />
    </Cell>
  )
}

export function SenderFoot({ sender: { foot } }: { readonly sender: MailSender }) {
  const link = usePaint()({ text: 'link' })
  return (
    <tr>
      <Cell
        className="side block"
        colors={{ text: 'ink2', ground: 'surface2' }}
        style={{ ...type('small'), padding: '20px 36px 28px' }}
      >
        {foot.map((paragraph, index) => (
          <p key={index} style={{ margin: index === foot.length - 1 ? 0 : '0 0 12px' }}>
            {paragraph.text}
            {paragraph.link !== undefined && (
              <>
                {' '}
                <a href={paragraph.link.url} className={link.className} style={link.style}>
                  {paragraph.link.label}
                </a>
              </>
            )}
          </p>
        ))}
      </Cell>
    </tr>
  )
}
