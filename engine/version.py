"""The version, in its one home: the build, the protocols and `chuhe --version` read it here."""

VERSION = "0.1.0"
