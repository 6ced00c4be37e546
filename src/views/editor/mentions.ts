/** Which listed deployments the open documents mention: told when it is another set. */
export class Mentions<Document> {
  private readonly byDocument = new Map<Document, ReadonlySet<string>>();
  private told: ReadonlySet<string> = new Set();

  constructor(private readonly tell: (deploymentIds: ReadonlySet<string>) => void) {}

  /** `undefined`: the document is closed. */
  set(document: Document, deploymentIds: ReadonlySet<string> | undefined): void {
    if (deploymentIds === undefined || deploymentIds.size === 0) this.byDocument.delete(document);
    else this.byDocument.set(document, deploymentIds);
    const all = new Set<string>();
    for (const ids of this.byDocument.values()) for (const id of ids) all.add(id);
    if (all.size === this.told.size && [...all].every((id) => this.told.has(id))) return;
    this.told = all;
    this.tell(all);
  }
}
