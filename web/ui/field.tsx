import {
  useId,
  type ComponentProps,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react'
import './field.css'

interface FieldProps {
  readonly label: string
  /** Shows 'Optional' beside the label; fields are required by default. */
  readonly optional?: boolean
  /** The error of the value, as a sentence. */
  readonly error?: string
}

interface FrameProps extends FieldProps {
  readonly id: string
  readonly className?: string
  readonly children: ReactNode
}

function FieldFrame({ id, label, optional = false, error, className = '', children }: FrameProps) {
  return (
    <div className={`field ${className}`}>
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {optional && <span className="field-optional">Optional</span>}
      </div>
      {children}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** The ARIA attributes of a control's state. */
function controlState(id: string, optional: boolean | undefined, error: string | undefined) {
  return {
    id,
    required: !optional,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': error !== undefined ? `${id}-error` : undefined,
  }
}

/**
 * `ref` is the input. There is no `maxLength`: browsers cut a pasted text without a word, and a cut
 * address can be another address. The contract refuses a text that is too long, with a sentence.
 */
type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'maxLength'>

export function TextField({ label, optional, error, className, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional={optional} error={error} className={className}>
      <input {...input} {...controlState(id, optional, error)} className="input" />
    </FieldFrame>
  )
}

type TextAreaFieldProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'maxLength'>

/** A field of several lines. */
export function TextAreaField({
  label,
  optional,
  error,
  className,
  ...textarea
}: TextAreaFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional={optional} error={error} className={className}>
      <textarea {...textarea} {...controlState(id, optional, error)} className="input" />
    </FieldFrame>
  )
}

type SelectFieldProps = FieldProps &
  SelectHTMLAttributes<HTMLSelectElement> & { readonly options: readonly string[] }

/** A select whose first option is empty. */
export function SelectField({
  label,
  optional,
  error,
  options,
  className,
  ...select
}: SelectFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} optional={optional} error={error} className={className}>
      <span className="select">
        <select {...select} {...controlState(id, optional, error)} className="input">
          <option value="">Choose</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </span>
    </FieldFrame>
  )
}
