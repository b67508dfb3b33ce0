import { useRef, useState, type ReactNode } from 'react'
import type { PreviewResponse, ShownTemplate } from '#contracts/receivables/templates'
import { Button } from '../../../ui/button.tsx'
import { instantDay } from '../shared/days.ts'
import type { Draft } from './drafts.ts'
import { PutIn } from './put-in.tsx'
import { lengthInWords, SegmentScale } from './segment-scale.tsx'
import { TemplateField, type TemplateFieldHandle } from './template-field.tsx'
import { toneNames } from './tone-tabs.tsx'

interface TemplateEditorProps {
  readonly template: ShownTemplate
  readonly draft: Draft
  readonly readOnly: boolean
  readonly timeZone: string
  /** Of the text. Undefined until it is there. */
  readonly text?: PreviewResponse['text'] | undefined
  readonly senderName?: string | undefined
  readonly onChange: (change: Partial<Pick<Draft, 'subject' | 'body'>>) => void
  readonly onRestore: () => void
  readonly hint: ReactNode
}

/** The words of one message: an e-mail with its subject, or a text with its length. */
export function TemplateEditor(props: TemplateEditorProps) {
  const { template, draft, readOnly, timeZone, text, senderName, onChange, onRestore, hint } = props
  const { tone, channel, changedAt } = template
  const isMail = channel === 'mail'
  const subject = useRef<TemplateFieldHandle>(null)
  const body = useRef<TemplateFieldHandle>(null)
  const [last, setLast] = useState<'subject' | 'body'>('body')
  const name = `${toneNames[tone]} ${isMail ? 'e-mail' : 'text'}`

  return (
    <section className="tpl-editor" aria-label={name}>
      <header>
        <i className={isMail ? 'tpl-mark-mail' : 'tpl-mark-text'} aria-hidden="true" />
        <h2>{name}</h2>
        <span className="msg-muted">
          {changedAt === null ? 'Original' : `Changed ${instantDay(changedAt, timeZone)}`}
        </span>
        {changedAt !== null && !readOnly && (
          <Button look="quiet" size="sm" onClick={onRestore}>
            Restore the original
          </Button>
        )}
      </header>
      <div className="tpl-fields">
        {draft.subject !== null && (
          <TemplateField
            label="Subject"
            field="subject"
            value={draft.subject}
            readOnly={readOnly}
            handle={subject}
            onChange={(value) => onChange({ subject: value.replaceAll(/\r?\n/g, ' ') })}
            onUse={() => setLast('subject')}
          />
        )}
        <TemplateField
          label="Text"
          field={channel}
          value={draft.body}
          readOnly={readOnly}
          handle={body}
          {...(isMail
            ? {}
            : {
                before: `${senderName ?? 'Sender'}:`,
                after: 'Reply STOP to end texts.',
                problem: text?.problem ?? null,
                ...(text === undefined ? {} : { aside: lengthInWords(text) }),
              })}
          onChange={(value) => onChange({ body: value })}
          onUse={() => setLast('body')}
        />
        {!isMail && text !== undefined && <SegmentScale text={text} />}
        <PutIn
          field={isMail && last === 'subject' ? 'subject' : channel}
          disabled={readOnly}
          onPut={(variable) => {
            const target = last === 'subject' && isMail ? subject : body
            target.current?.insert(variable)
          }}
        />
        <p className="tpl-hint">{hint}</p>
      </div>
    </section>
  )
}
