import './preview.css'

const address = /(https?:\/\/\S+)/

/** A text as a phone shows it. The link leads nowhere. */
export function TextPreview({ body }: { readonly body: string }) {
  return (
    <p className="msg-text" dir="auto" aria-label="Text" role="group">
      {body.split(address).map((part, index) =>
        address.test(part) ? (
          <span key={index} className="msg-link">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </p>
  )
}
