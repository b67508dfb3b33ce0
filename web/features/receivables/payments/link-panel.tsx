import { useId, useLayoutEffect, useRef } from 'react'
import {
  fillGatewayLink,
  hostOfGatewayLink,
  linkProblemInWords,
  linkVariables,
  problemOfGatewayLink,
  takesAmount,
} from '#contracts/receivables/gateway-link'
import { useChangeGatewayLinkMutation } from '../../../api/payments-api.ts'
import { example } from './example.ts'
import { SettingActs } from './setting-acts.tsx'
import type { TypedSetting } from './use-typed.ts'

interface LinkPanelProps {
  readonly link: TypedSetting
  readonly readOnly: boolean
}

/** What is wrong with a typed link. Null: it can be saved, or nothing is typed. */
export function problemOfTyped(text: string): string | null {
  const problem = text === '' ? null : problemOfGatewayLink(text)
  return problem === null ? null : linkProblemInWords(problem)
}

/** A link of the merchant's own gateway, with variables. */
export function LinkPanel({ link, readOnly }: LinkPanelProps) {
  const { text, saved, isDirty, type, forget } = link
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)
  const [change] = useChangeGatewayLinkMutation()
  const problem = problemOfTyped(text)

  useLayoutEffect(() => {
    if (caret.current === null) return
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  function put(variable: string): void {
    const element = field.current
    if (element === null) return
    const { selectionStart, selectionEnd, value } = element
    caret.current = selectionStart + variable.length
    type(value.slice(0, selectionStart) + variable + value.slice(selectionEnd))
    element.focus()
  }

  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>Link of your own gateway</h2>
      </header>
      <div className="panel-body ways-body">
        <p className="ways-text">
          Your clients pay on a page that you have elsewhere. You record the payment, or import it.
          There is no fee.
        </p>
        <div className="field">
          <div className="field-head">
            <label htmlFor={`${id}-link`}>Link</label>
            <span className="field-optional">Optional</span>
          </div>
          <textarea
            ref={field}
            id={`${id}-link`}
            className="input mono ways-link"
            rows={2}
            value={text}
            placeholder="https://pay.example.com/i/{invoice}?amount={amount}"
            readOnly={readOnly}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={problem !== null || undefined}
            aria-describedby={`${id}-hint`}
            // A pasted link can end with a line break.
            onChange={(event) => type(event.target.value.replace(/[\r\n]+/g, ''))}
          />
          <p className={problem === null ? 'ways-hint' : 'field-error'} id={`${id}-hint`}>
            {problem ?? hintOf(text)}
          </p>
        </div>
        {!readOnly && (
          <div className="ways-put" role="group" aria-labelledby={`${id}-put`}>
            <span id={`${id}-put`}>Put in</span>
            {Object.entries(linkVariables).map(([name, means]) => (
              <button key={name} type="button" title={means} onClick={() => put(`{${name}}`)}>
                {name}
              </button>
            ))}
          </div>
        )}
        {text !== '' && problem === null && (
          <p className="ways-example">
            <span>Example</span>
            <code>{fillGatewayLink(text, example)}</code>
          </p>
        )}
        {!readOnly && (
          <SettingActs
            what="link"
            saved={saved}
            isDirty={isDirty}
            canSave={problem === null && text !== ''}
            save={(key, next) => change({ key, body: { link: next, seen: link.seen } })}
            text={text}
            onDone={forget}
          />
        )}
      </div>
    </section>
  )
}

function hintOf(text: string): string {
  if (text === '') return 'It begins with https://. The variables are filled in for each invoice.'
  const host = hostOfGatewayLink(text)
  return takesAmount(text)
    ? `Your clients see ${host} before they go there, and can pay a part.`
    : `Your clients see ${host} before they go there. With {amount} in the link they can pay a part.`
}
