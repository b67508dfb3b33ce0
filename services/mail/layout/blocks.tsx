import { Fragment, type CSSProperties } from 'react'
import { unreachable } from '#services/foundation/decider'
import type { Description, MailBlock } from '../mail-content.ts'
import { usePaint } from './mail-brand.ts'
import { Cell, Table } from './table.tsx'
import { Line } from './time-line.tsx'
import { type } from './type.ts'

/*
 * The blocks of a mail. The classes `block`, `pair` and `action` also form the text part:
 * plain-text.ts.
 */

export function Block({ block }: { readonly block: MailBlock }) {
  return (
    <tr>
      <Cell
        className="block"
        colors={{ text: 'ink' }}
        style={{ ...type('text'), paddingBottom: 20 }}
      >
        <BlockContent block={block} />
      </Cell>
    </tr>
  )
}

function BlockContent({ block }: { readonly block: MailBlock }) {
  switch (block.type) {
    case 'paragraph':
      return <p style={{ margin: 0 }}>{withWholeDates(block.text)}</p>
    case 'words':
      return <Words text={block.text} />
    case 'figure':
      return <Figure label={block.label} value={block.value} />
    case 'code':
      return <Code code={block.code} />
    case 'line':
      return <Line line={block} />
    case 'descriptions':
      return <Descriptions descriptions={block.descriptions} />
    case 'list':
      return <List label={block.label} items={block.items} />
    case 'quote':
      return <Quote label={block.label} text={block.text} />
    case 'action':
      return <Action {...block} />
    default:
      return unreachable(block)
  }
}

/** A date stays on one line: `Mar 3, 2026` gets no-break spaces. */
function withWholeDates(text: string): string {
  return text.replaceAll(/\b([A-Z][a-z]{2}) (\d{1,2}), (\d{4})\b/g, '$1\u00a0$2,\u00a0$3')
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Table>
      <tr>
        <Cell colors={{ text: 'ink2' }} style={type('text')}>
          {label}
        </Cell>
      </tr>
      <tr>
        <Cell
          className="figure"
          colors={{ text: 'ink' }}
          style={{ ...type('figure', 700), letterSpacing: '-2px' }}
        >
          {value}
        </Cell>
      </tr>
    </Table>
  )
}

/** The gap between the halves is no space, so that a copy of the code has no space. */
function Code({ code }: { readonly code: string }) {
  const middle = Math.ceil(code.length / 2)
  return (
    <Table>
      <tr>
        <Cell
          className="figure"
          colors={{ text: 'ink' }}
          style={{ ...type('code', 700), letterSpacing: '2px' }}
        >
          <span style={{ WebkitUserSelect: 'all', userSelect: 'all' }}>
            <span>{code.slice(0, middle)}</span>
            <span style={{ paddingLeft: 14 }}>{code.slice(middle)}</span>
          </span>
        </Cell>
      </tr>
    </Table>
  )
}

/** A short text, such as an amount, stays on one line. Both sides then fit a phone of 360 px. */
function whole(text: string, longest: number): CSSProperties {
  return text.length <= longest ? { whiteSpace: 'nowrap' } : {}
}

function Descriptions({ descriptions }: { readonly descriptions: readonly Description[] }) {
  return (
    <Table colors={{ edge: 'ink' }} style={{ borderTopWidth: 2, borderTopStyle: 'solid' }}>
      {descriptions.map(({ term, value, isSum = false }, index) => {
        const edge =
          index === descriptions.length - 1
            ? {}
            : { borderBottomWidth: 1, borderBottomStyle: 'solid' as const }
        return (
          <tr key={index} className="pair">
            <Cell
              colors={{ text: isSum ? 'ink' : 'ink2', edge: 'rule' }}
              style={{
                ...type('text', isSum ? 700 : 400),
                ...whole(term, 16),
                ...edge,
                padding: '10px 16px 10px 0',
                verticalAlign: 'top',
              }}
            >
              {term}
            </Cell>
            <Cell
              align="right"
              colors={{ text: 'ink', edge: 'rule' }}
              style={{
                ...type('text', isSum ? 700 : 600),
                ...whole(value, 20),
                ...edge,
                padding: '10px 0',
                verticalAlign: 'top',
              }}
            >
              {withWholeDates(value)}
            </Cell>
          </tr>
        )
      })}
    </Table>
  )
}

function List({ label, items }: { readonly label: string; readonly items: readonly string[] }) {
  return (
    <>
      <p style={{ margin: 0 }}>{label}</p>
      <ul style={{ margin: '8px 0 0', padding: '0 0 0 20px' }}>
        {items.map((item) => (
          <li key={item} style={{ margin: '0 0 4px' }}>
            {item}
          </li>
        ))}
      </ul>
    </>
  )
}

function Quote({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Table>
      <tr>
        <Cell colors={{ text: 'ink2' }} style={{ ...type('text'), paddingBottom: 8 }}>
          {label}
        </Cell>
      </tr>
      <tr>
        <Cell
          colors={{ text: 'ink', ground: 'surface2' }}
          style={{ ...type('text'), padding: '16px 20px' }}
        >
          {inLines(text)}
        </Cell>
      </tr>
    </Table>
  )
}

/** In the direction of its letters: a merchant may write from right to left. */
function Words({ text }: { readonly text: string }) {
  return (
    <p dir="auto" style={{ margin: 0 }}>
      {inLines(text)}
    </p>
  )
}

function inLines(text: string) {
  return text.split(/\r\n|\r|\n/).map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ))
}

/** Outlook ignores the padding of a link: there the cell has it, as `mso-padding-alt`. */
const outlookPadding = { msoPaddingAlt: '12px 22px' } as Readonly<Record<string, string>>

function Action({ label, url, isSecond }: Extract<MailBlock, { type: 'action' }>) {
  const text = usePaint()({ text: isSecond === true ? 'ink' : 'onAction' })
  return (
    <Table width="">
      <tr>
        <Cell
          align="center"
          {...(isSecond === true ? {} : { colors: { ground: 'action' } as const })}
          style={{ borderRadius: 6, ...(isSecond === true ? {} : outlookPadding) }}
        >
          <a
            href={url}
            className={`action ${text.className}`}
            style={{
              ...type('text', 600),
              ...text.style,
              display: 'inline-block',
              ...(isSecond === true
                ? { textDecoration: 'underline' }
                : { padding: '11px 22px', textDecoration: 'none' }),
            }}
          >
            {label}
          </a>
        </Cell>
      </tr>
    </Table>
  )
}
