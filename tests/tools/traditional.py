"""Writes chuhe/text/languages/zh-Hant.json from zh-Hans.json: OpenCC with the words of Taiwan, then our exceptions."""

from __future__ import annotations

import json
from pathlib import Path

from opencc import OpenCC

LANGUAGES = Path(__file__).resolve().parents[2] / "chuhe/text/languages"
SOURCE, TARGET = LANGUAGES / "zh-Hans.json", LANGUAGES / "zh-Hant.json"

# What OpenCC writes, and what a reader of traditional Chinese expects. They are applied in this order.
EXCEPTIONS = {
    "“": "「",
    "”": "」",
    "鍾": "鐘",
    "覆盤": "復盤",
    "全域性": "全局",
    "迴圈": "循環",
    "巢狀": "嵌套",
    "專案": "項目",
    "引數": "參數",
    "當前": "目前",
    "計劃": "計畫",
    "摺合": "折合",
    "隻讀": "唯讀",
    "隻能": "只能",
    "許可權": "權限",
    "無響應": "沒有回應",
    "自定義": "自訂",
    "後臺": "背景",
    "標籤頁": "分頁",
    "回車": "Enter 鍵",
    "點選即走": "點一下就走",
    "終端": "終端機",
    "埠": "連接埠",
    "字尾": "副檔名",
    "校驗和": "總和檢查碼",
    "退出碼": "結束代碼",
    "已退出": "已結束",
    "發來": "傳來",
    "自帶": "內附",
    "習題檔案": "習題檔",
    "使用者": "用戶",
    "簡體（馬二進三）": "簡體（马二进三）",  # an example of simplified Chinese
}


def traditional() -> str:
    """The text of zh-Hant.json."""
    converter = OpenCC("s2twp")

    def convert(text: str) -> str:
        converted: str = converter.convert(text)
        for found, wanted in EXCEPTIONS.items():
            converted = converted.replace(found, wanted)
        return converted

    table = json.loads(SOURCE.read_text(encoding="utf-8"))
    return json.dumps({key: convert(text) for key, text in table.items()}, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(traditional(), encoding="utf-8", newline="\n")
