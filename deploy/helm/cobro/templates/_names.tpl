{{/* At most 37 characters: Kubernetes takes 52 of a CronJob, and `-reconciliation` follows. */}}
{{- define "cobro.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- if .Values.fullnameOverride -}}{{ .Values.fullnameOverride | trunc 37 | trimSuffix "-" }}
{{- else if contains $name .Release.Name -}}{{ .Release.Name | trunc 37 | trimSuffix "-" }}
{{- else -}}{{ printf "%s-%s" .Release.Name $name | trunc 37 | trimSuffix "-" }}{{- end -}}
{{- end }}

{{/* What the chart knows of the services, and of the acquirers that are switched on; npm run docs -- deploy makes it from their definitions. */}}
{{- define "cobro.services" -}}
{{- $all := .Files.Get "files/services.json" | fromJson -}}
{{- range $name, $acquirer := .Files.Get "files/acquirers.json" | fromJson }}
{{- if (index $.Values $name).enabled }}{{ $_ := set $all $name $acquirer }}{{ end -}}
{{- end -}}
{{- if not .Values.hosts.dashboard }}{{ $_ := unset $all "dashboard" }}{{ end -}}
{{- $all | toJson -}}
{{- end }}

{{/* The name of the acquirer that is the bank here; empty where bank.url says who is. */}}
{{- define "cobro.ownBank" -}}
{{- if and .Values.stripe.enabled (not .Values.bank.url) }}stripe{{ end -}}
{{- end }}

{{- define "cobro.bankUrl" -}}
{{- $own := include "cobro.ownBank" . -}}
{{- if $own }}{{ printf "%s://%s-%s:8080" (include "cobro.scheme" .) (include "cobro.fullname" .) $own }}{{ else }}{{ .Values.bank.url }}{{ end -}}
{{- end }}

{{/* Labels that never change. Takes root and component. */}}
{{- define "cobro.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "cobro.labels" -}}
{{ include "cobro.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: cobro
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- end }}

{{/* Takes root and image. */}}
{{- define "cobro.image" -}}
{{- $of := .root.Values.image -}}
{{- $name := printf "%s%s" $of.prefix .image -}}
{{- if $of.registry }}{{ $name = printf "%s/%s" (trimSuffix "/" $of.registry) $name }}{{ end -}}
{{- $digest := index $of.digests .image -}}
{{- if $digest }}{{ $name }}@{{ $digest }}{{ else }}{{ $name }}:{{ $of.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* Where the pod of a Job runs: as `defaults` says, and over it what jobs.<component> says. Takes root and component. */}}
{{- define "cobro.placementOf" -}}
{{- $all := pick .root.Values.defaults "podLabels" "podAnnotations" "nodeSelector" "tolerations" "affinity" "priorityClassName" -}}
{{- mergeOverwrite (deepCopy $all) (index .root.Values.jobs .component | default dict | deepCopy) | toJson -}}
{{- end }}

{{/* The metadata of a Job's pod. No label in it follows from the chart's version, because a Job's template cannot be changed. Takes root, component and values. */}}
{{- define "cobro.jobPodMetadata" -}}
labels:
  {{- include "cobro.selector" . | nindent 2 }}
  {{- range $label, $value := .values.podLabels }}
  {{ $label }}: {{ $value | toString | quote }}
  {{- end }}
{{- with .values.podAnnotations }}
annotations:
  {{- range $annotation, $value := . }}
  {{ $annotation }}: {{ $value | toString | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The values of one service: defaults, and over them what services.<name> says, also where that is false, 0 or empty. */}}
{{- define "cobro.valuesOf" -}}
{{- $own := index .root.Values.services .name | default dict -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $own) | toJson -}}
{{- end }}
