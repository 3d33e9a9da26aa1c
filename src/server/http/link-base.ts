/** Where links in an environment's mails lead: the public address, or the same at the environment's first host where it is another's. */
export function linkBase(publicUrl: string, hosts: readonly string[]): string {
  const [first] = hosts
  const url = new URL(publicUrl)
  if (first === undefined || hosts.some((host) => host.toLowerCase() === url.hostname)) return publicUrl
  url.hostname = first
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
