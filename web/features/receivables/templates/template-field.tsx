import {
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ReactNode,
  type RefObject,
} from 'react'
import {
  partsOfTemplate,
  problemInWords,
  type TemplateField as Field,
} from '#contracts/receivables/template-language'
import { firstProblem } from './drafts.ts'

export interface TemplateFieldHandle {
  /** Puts a text in the place of the selection, and the caret after it. */
  readonly insert: (text: string) => void
}

interface TemplateFieldProps {
  readonly label: string
  readonly field: Field
  readonly value: string
  readonly readOnly: boolean
  /** At the right end of the label. */
  readonly aside?: ReactNode
  /** What the server says against the words, besides their places. */
  readonly problem?: string | null
  /** Fixed words around those that are typed. */
  readonly before?: string
  readonly after?: string
  readonly onChange: (value: string) => void
  /** Typed or clicked: the keyboard passes fields on its way to the variables. */
  readonly onUse: () => void
  readonly handle: RefObject<TemplateFieldHandle | null>
}

/**
 * A field whose variables have a ground of their own. The marks are a copy of the text below the
 * field: both break their lines in the same places, and the copy gives the field its height.
 */
export function TemplateField(props: TemplateFieldProps) {
  const { label, field, value, readOnly, aside, before, after, onChange, onUse, handle } = props
  const id = useId()
  const ref = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)
  const found = firstProblem(value, field)
  const problem = found === null ? (props.problem ?? null) : problemInWords(found)

  useImperativeHandle(handle, () => ({
    insert(text) {
      const element = ref.current
      if (element === null) return
      const { selectionStart, selectionEnd } = element
      caret.current = selectionStart + text.length
      onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd))
      element.focus()
    },
  }))
  useLayoutEffect(() => {
    if (caret.current === null) return
    ref.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  return (
    <div className="field tpl-field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {aside !== undefined && <span className="tpl-aside">{aside}</span>}
      </div>
      {before !== undefined && (
        <p className="tpl-fixed" dir="auto">
          {before}
        </p>
      )}
      <div className={field === 'subject' ? 'tpl-box' : 'tpl-box tpl-box-tall'}>
        <div className="tpl-marks" aria-hidden="true" dir="auto">
          {partsOfTemplate(value).map((part, index) =>
            part.type === 'words' ? part.text : <mark key={index}>{part.typed}</mark>,
          )}
          {'\n'}
        </div>
        <textarea
          ref={ref}
          id={id}
          className="input"
          dir="auto"
          rows={1}
          spellCheck
          value={value}
          readOnly={readOnly}
          aria-invalid={problem !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-error`}
          onChange={(event) => {
            onUse()
            onChange(event.target.value)
          }}
          onPointerDown={onUse}
          onKeyDown={({ key }) => {
            if (key !== 'Tab' && key !== 'Shift') onUse()
          }}
        />
      </div>
      {after !== undefined && <p className="tpl-fixed">{after}</p>}
      {problem !== null && (
        <p className="field-error" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </div>
  )
}
