; setup.exe: installs for this user only, so that nobody is asked for an administrator.
; makensis -DTREE=folder -DOUT=file -DVERSION=1.0.0 setup.nsi
!include LogicLib.nsh
Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
SetCompressorDictSize 64
Name "Board Tracker"
OutFile "${OUT}"
Icon "${TREE}/board-tracker.ico"
UninstallIcon "${TREE}/board-tracker.ico"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Board Tracker"
ManifestDPIAware true
AutoCloseWindow true
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\BoardTracker"

; A folder whose program runs can't be renamed.
!macro StopIfRunning
  ${If} ${FileExists} "$INSTDIR\python\*.*"
    ClearErrors
    Rename "$INSTDIR\python" "$INSTDIR\python.old"
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "Board Tracker is running: close its window, then try again." /SD IDOK
      Abort
    ${EndIf}
  ${EndIf}
!macroend

; Only what setup has put there, never the folder of the nights, which is elsewhere.
!macro DeleteProgram
  RMDir /r "$INSTDIR\python.old"
  RMDir /r "$INSTDIR\python"
  RMDir /r "$INSTDIR\site"
  Delete "$INSTDIR\start.py"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\board-tracker.ico"
!macroend

Section
  !insertmacro StopIfRunning
  !insertmacro DeleteProgram
  SetOutPath "$INSTDIR"
  File /r "${TREE}/*.*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateDirectory "$SMPROGRAMS"
  SetOutPath "$PROFILE"
  CreateShortcut "$SMPROGRAMS\Board Tracker.lnk" "$INSTDIR\python\python.exe" '"$INSTDIR\start.py"' "$INSTDIR\board-tracker.ico"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Board Tracker"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\board-tracker.ico"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Board Tracker authors"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${IfNot} ${Silent}
    ExecShell "open" "$SMPROGRAMS\Board Tracker.lnk"
  ${EndIf}
SectionEnd

Section "Uninstall"
  !insertmacro StopIfRunning
  !insertmacro DeleteProgram
  Delete "$SMPROGRAMS\Board Tracker.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
SectionEnd
