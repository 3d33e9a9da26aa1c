/** A notice has some kilobytes; what is larger is something else. */
const largestAnswer = 1_000_000
const mostRedirects = 3

/** The text of an address, following redirects within its host alone; throws on anything but 200. */
export async function fetchSource(address: URL, signal: AbortSignal): Promise<string> {
  let asked = address
  for (let turn = 0; turn <= mostRedirects; turn += 1) {
    const response = await fetch(asked, {
      signal,
      redirect: 'manual',
      headers: { Accept: 'application/xml, application/json', 'User-Agent': 'Comptoir' },
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      const next = new URL(response.headers.get('location') ?? '', asked)
      if (next.host !== address.host || !/^https?:$/.test(next.protocol)) {
        throw new Error(`a redirect to another host: ${next.host}`)
      }
      asked = next
      continue
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`status ${response.status}`)
    }
    return readCapped(response)
  }
  throw new Error('too many redirects')
}

async function readCapped(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > largestAnswer) throw new Error('an answer of more than a megabyte')
    parts.push(part)
  }
  return new TextDecoder('utf-8').decode(Buffer.concat(parts))
}
