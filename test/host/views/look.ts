import * as vscode from 'vscode';

export interface Look {
  /** Codicon and colour. */
  readonly icon: string;
  /** Label and description. */
  readonly text: string;
  /** What a screen reader says. */
  readonly spoken: string;
  /** Path of the address that colours the row. */
  readonly decorated?: string;
}

/** What a row shows. */
export function look(item: vscode.TreeItem): Look {
  const icon = item.iconPath instanceof vscode.ThemeIcon ? item.iconPath : undefined;
  return {
    icon: [icon?.id, icon?.color?.id].filter(Boolean).join(' '),
    text: [item.label, item.description].filter((part) => typeof part === 'string').join(' | '),
    spoken: item.accessibilityInformation?.label ?? '',
    ...(item.resourceUri && { decorated: item.resourceUri.path }),
  };
}
