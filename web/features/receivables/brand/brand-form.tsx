import { useId } from 'react'
import type { BrandResponse } from '#contracts/receivables/brand'
import { parseColor } from '#contracts/receivables/brand-color'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { colorInWords, type BrandDraft } from './brand-draft.ts'
import { LogoField } from './logo-field.tsx'

interface BrandFormProps {
  readonly brand: BrandResponse
  readonly draft: BrandDraft
  readonly problems: Readonly<Record<string, string>>
  readonly readOnly: boolean
  readonly onChange: (change: Partial<BrandDraft>) => void
}

export function BrandForm({ brand, draft, problems, readOnly, onChange }: BrandFormProps) {
  const { defaults } = brand
  return (
    <div className="brand-form">
      <LogoField
        saved={brand.logo}
        value={draft.logo}
        error={problems.logo}
        readOnly={readOnly}
        onChange={(logo) => onChange({ logo })}
      />
      <ColorField
        value={draft.color}
        error={problems.color}
        readOnly={readOnly}
        onChange={(color) => onChange({ color })}
      />
      <div className="brand-field">
        <TextField
          label="Sender name"
          optional
          value={draft.senderName}
          placeholder={defaults.senderName}
          readOnly={readOnly}
          autoComplete="organization"
          dir="auto"
          {...errorOf(problems.senderName)}
          onChange={(event) => onChange({ senderName: event.target.value })}
        />
        <p className="brand-hint">{senderNameInWords(brand, draft.senderName)}</p>
      </div>
      <div className="brand-field">
        <TextField
          label="Replies go to"
          type="email"
          optional
          value={draft.replyTo}
          placeholder={defaults.replyTo}
          readOnly={readOnly}
          autoComplete="email"
          {...errorOf(problems.replyTo)}
          onChange={(event) => onChange({ replyTo: event.target.value })}
        />
      </div>
      <div className="brand-field">
        <TextAreaField
          label="Postal address"
          optional
          rows={3}
          value={draft.postalAddress}
          placeholder={defaults.postalAddress.join('\n')}
          readOnly={readOnly}
          autoComplete="street-address"
          dir="auto"
          {...errorOf(problems.postalAddress)}
          onChange={(event) => onChange({ postalAddress: event.target.value })}
        />
        <p className="brand-hint">It stands in every e-mail.</p>
      </div>
    </div>
  )
}

const errorOf = (error: string | undefined) => (error === undefined ? {} : { error })

/** The browser's own picker beside the digits. */
function ColorField({
  value,
  error,
  readOnly,
  onChange,
}: {
  readonly value: string
  readonly error: string | undefined
  readonly readOnly: boolean
  readonly onChange: (color: string) => void
}) {
  const id = useId()
  const hint = colorInWords(value)
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>Color</label>
        <span className="field-optional">Optional</span>
      </div>
      <div className="brand-color">
        <input
          type="color"
          aria-label="Pick a color"
          value={(parseColor(value) ?? '#06262C').toLowerCase()}
          disabled={readOnly}
          onChange={(event) => onChange(event.target.value.toUpperCase())}
        />
        <input
          id={id}
          className="input mono"
          value={value}
          placeholder="#3B4A9B"
          readOnly={readOnly}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <p className={error === undefined ? 'brand-hint' : 'field-error'} id={`${id}-hint`}>
        {error ?? hint}
      </p>
    </div>
  )
}

function senderNameInWords(
  { senderName, senderNameState, defaults }: BrandResponse,
  typed: string,
): string {
  const name = typed.trim()
  if (name === '' || name === defaults.senderName) return 'It is the name of your company.'
  if (name === senderName && senderNameState === 'approved') return 'It is approved.'
  if (name === senderName && senderNameState === 'waits')
    return `It waits for approval. Until then your clients see ${defaults.senderName}.`
  return `We approve another name than that of your company. Until then your clients see ${defaults.senderName}.`
}
