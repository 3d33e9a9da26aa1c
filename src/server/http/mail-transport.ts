/** `key` never changes, so that a mail that leaves twice can be recognised. */
export type OutgoingMail = {
  key: string
  to_address: string
  subject: string
  html: string
  created_at: string
  holds_link: boolean
}

/** `written`: a file of the server, which nobody gets. `refused`: this mail never leaves; `later`: not now; `unreachable`: no mail can leave now. */
export type Delivery =
  | { ok: true; as: 'sent' | 'written' }
  | { ok: false; fault: 'refused' | 'later' | 'unreachable'; about?: 'address' | 'message'; message: string }

export type MailTransport = {
  /** Whether mails leave, and do not become files. */
  isConnected: boolean
  send(mail: OutgoingMail): Promise<Delivery>
  close(): void
}
